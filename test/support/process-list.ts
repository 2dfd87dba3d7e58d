import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether other users of this machine see the arguments of a process where we look for them. */
export const hasProcessList = existsSync('/proc/self/cmdline')

/**
 * Collects what other users of this machine see of the processes that run during the work: their
 * arguments, with spaces between them.
 */
export async function processesDuring(work: (seen: ReadonlySet<string>) => Promise<unknown>) {
  const seen = new Set<string>()
  const over = new AbortController()
  const watch = async () => {
    while (!over.signal.aborted) {
      for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        const line = argumentsOf(id)
        if (line) seen.add(line)
      }
      await sleep(1)
    }
  }
  const watching = watch()
  try {
    await work(seen)
  } finally {
    over.abort()
    await watching
  }
  return [...seen]
}

function argumentsOf(id: string) {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return undefined // it has ended
  }
}
