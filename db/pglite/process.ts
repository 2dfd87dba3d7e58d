import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process, and where its number means it: two containers may each have a process 1. */
export interface ProcessIdentity {
  pid: number
  host: string
  /** On Linux the boot and the pid namespace, else the name of the system; empty when unknown. */
  namespace: string
  /** In clock ticks since boot; empty where the system does not say when a process started. */
  started: string
}

export const thisProcess: ProcessIdentity = {
  pid: process.pid,
  host: hostname(),
  namespace: pidNamespace(),
  started: startOf(process.pid)
}

/** Whether a process lives; undefined when its number means nothing here, or may be another's. */
export function isAlive(other: ProcessIdentity): boolean | undefined {
  const { host, namespace } = thisProcess
  if (other.host !== host || other.namespace !== namespace || namespace === '') return undefined
  if (!isRunning(other.pid)) return false
  const started = startOf(other.pid)
  return started === '' || other.started === '' ? undefined : started === other.started
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** No two namespaces have one number at a time; processes of an ended one started earlier. */
function pidNamespace() {
  if (process.platform !== 'linux') return process.platform
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

function startOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields 3 (state) and 22 (start) follow the command name, which may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
