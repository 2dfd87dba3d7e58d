import { overloaded } from './errors.ts'

export type Bulkhead = ReturnType<typeof createBulkhead>

interface Waiting {
  start: () => void
  refuse: () => void
}

/** The number of consecutive turns of urgent work while other work waits. */
const urgentInARow = 2

/**
 * Keeps CPU-bound work from starving everything else: at most `running` at once and `waiting` in
 * the queue, each for at most `maxWait` ms.
 *
 * The queue of piscina cannot do this: when it is full it rejects a task before its `taskQueue`
 * sees it, so urgent work cannot displace other work, and an aborted task that has started ends
 * its thread. Work that runs in no thread waits here as well: see throttling/admission.ts.
 */
export function createBulkhead(limits: { running: number; waiting: number; maxWait: number }) {
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
      const timer = setTimeout(entry.refuse, limits.maxWait)
      queue.push(entry)
    })

  const next = () => {
    const useUrgent = urgent.length > 0 && (others.length === 0 || inARow < urgentInARow)
    inARow = useUrgent ? inARow + 1 : 0
    return useUrgent ? urgent[0] : others[0]
  }

  /** Whether work that is not urgent would be rejected now. */
  const isFull = () => running >= limits.running && urgent.length + others.length >= limits.waiting

  return {
    isFull,
    /** Rejects all waiting work with `overloaded`. */
    clear() {
      for (const waiting of [...urgent, ...others]) waiting.refuse()
    },
    load: () => ({ running, waiting: urgent.length + others.length }),
    /**
     * Runs the work in turn. Throws `overloaded` when the queue is full or the wait too long.
     * @param isUrgent starts first, except at every third turn. When the queue is full, urgent work
     * displaces the last other work, until half of the queue is urgent.
     */
    async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
      if (running < limits.running) running++
      else {
        if (isUrgent && urgent.length >= urgentPlaces) throw overloaded()
        if (isFull()) {
          const displaced = isUrgent ? others.at(-1) : undefined
          if (!displaced) throw overloaded()
          displaced.refuse()
        }
        await turn(isUrgent ? urgent : others) // finished work passed its turn on
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
