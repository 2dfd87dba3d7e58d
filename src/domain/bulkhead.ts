import { overloaded } from './errors.ts'

export interface Bulkhead {
  /**
   * Does the work when its turn comes. Throws `overloaded` when too many wait, or for too long.
   * @param first goes before all others, and takes the place of the last of them where there is none
   */
  run<T> (work: () => Promise<T>, first?: boolean): Promise<T>
  /** Whether it would refuse whoever comes now and is not `first`. */
  isFull (): boolean
  /** Throws `overloaded` for everything that waits. */
  clear (): void
  load (): { running: number, waiting: number }
}

interface Waiting { start: () => void, refuse: () => void }

/** Keeps work that fills a core from starving everything else: so many at once, so many waiting, and nobody longer than `patience` ms. */
export function createBulkhead (limits: { running: number, waiting: number, patience: number }): Bulkhead {
  let running = 0
  const urgent: Waiting[] = []
  const others: Waiting[] = []

  const turn = (queue: Waiting[]) => new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      queue.splice(queue.indexOf(entry), 1)
    }
    const entry: Waiting = {
      start: () => { leave(); resolve() },
      refuse: () => { leave(); reject(overloaded()) }
    }
    const timer = setTimeout(entry.refuse, limits.patience)
    queue.push(entry)
  })

  const isFull = () => running >= limits.running && urgent.length + others.length >= limits.waiting

  return {
    isFull,
    clear () {
      for (const waiting of [...urgent, ...others]) waiting.refuse()
    },
    load: () => ({ running, waiting: urgent.length + others.length }),
    async run (work, first = false) {
      if (running < limits.running) running++
      else {
        if (isFull()) {
          const displaced = first ? others.at(-1) : undefined
          if (!displaced) throw overloaded()
          displaced.refuse()
        }
        await turn(first ? urgent : others) // whoever ended handed over its place
      }
      try {
        return await work()
      } finally {
        const next = urgent[0] ?? others[0]
        if (next) next.start()
        else running--
      }
    }
  }
}
