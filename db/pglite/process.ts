import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process and the scope of its number: two containers may each have a process 1. */
export interface ProcessIdentity {
  pid: number
  host: string
  /** On Linux the boot id and the pid namespace, else the system's name; empty when unknown. */
  namespace: string
  /** The start of the process, in clock ticks since boot; empty when unknown. */
  started: string
}

export const thisProcess: ProcessIdentity = {
  pid: process.pid,
  host: hostname(),
  namespace: pidNamespace(),
  started: startOf(process.pid)
}

/** Whether a process is alive. Undefined when its number is from elsewhere, or may be reused. */
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

/**
 * The number of a namespace may be reused after its end, but its processes started earlier than
 * those of the next one.
 */
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
    // Fields 3 (state) and 22 (start). The command name before may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
