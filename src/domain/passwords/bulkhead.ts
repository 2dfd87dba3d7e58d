import { overloaded } from '../errors.ts'

export interface Bulkhead {
  /**
   * Does the work when its turn comes. Throws `overloaded` when too many wait, or for too long.
   * @param urgent goes before others, though a third of the turns stay theirs. Urgent work that
   * finds no place takes that of the last other, until half of the places are urgent.
   */
  run<T>(work: () => Promise<T>, urgent?: boolean): Promise<T>
  /** Whether work that comes now and is not urgent would be rejected. */
  isFull(): boolean
  /** Throws `overloaded` for everything that waits. */
  clear(): void
  load(): { running: number; waiting: number }
}

interface Waiting {
  start: () => void
  refuse: () => void
}

/** Turns of urgent work in a row while other work waits. */
const urgentInARow = 2

/**
 * Keeps work that fills a core from starving everything else: at most `running` at once and
 * `waiting` in the queue, each for at most `patience` ms.
 */
export function createBulkhead(limits: {
  running: number
  waiting: number
  patience: number
}): Bulkhead {
  const urgentPlaces = Math.ceil(limits.waiting / 2)
  let running = 0
  let inARow = 0
  const urgent: Waiting[] = []
  const others: Waiting[] = []

  const turn = (queue: Waiting[]) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        queue.splice(queue.indexOf(entry), 1)
      }
      const entry: Waiting = {
        start: () => {
          leave()
          resolve()
        },
        refuse: () => {
          leave()
          reject(overloaded())
        }
      }
      const timer = setTimeout(entry.refuse, limits.patience)
      queue.push(entry)
    })

  const next = () => {
    const useUrgent = urgent.length > 0 && (others.length === 0 || inARow < urgentInARow)
    inARow = useUrgent ? inARow + 1 : 0
    return useUrgent ? urgent[0] : others[0]
  }

  const isFull = () => running >= limits.running && urgent.length + others.length >= limits.waiting

  return {
    isFull,
    clear() {
      for (const waiting of [...urgent, ...others]) waiting.refuse()
    },
    load: () => ({ running, waiting: urgent.length + others.length }),
    async run(work, isUrgent = false) {
      if (running < limits.running) running++
      else {
        if (isUrgent && urgent.length >= urgentPlaces) throw overloaded()
        if (isFull()) {
          const displaced = isUrgent ? others.at(-1) : undefined
          if (!displaced) throw overloaded()
          displaced.refuse()
        }
        await turn(isUrgent ? urgent : others) // work that ended handed over its turn
      }
      try {
        return await work()
      } finally {
        const following = next()
        if (following) following.start()
        else running--
      }
    }
  }
}
