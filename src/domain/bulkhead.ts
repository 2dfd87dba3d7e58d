import { overloaded } from './errors.ts'

export type Bulkhead = ReturnType<typeof createBulkhead>

/** Whose waiting work starts first: known people, then those who have solved a challenge. */
export type Rank = 'known' | 'proved' | 'others'
const order = { others: 0, proved: 1, known: 2 }

interface Waiting {
  rank: number
  start: () => void
  refuse: () => void
}

/** The number of consecutive turns of preferred work while other work waits. */
const preferredInARow = 2

/**
 * Keeps CPU-bound work from starving everything else: at most `running` at once and `waiting` in
 * the queue, each for at most `maxWait` ms. When the queue is full, work displaces that of a lower
 * rank, until the known have half of its places, and the proved a quarter.
 *
 * The queue of piscina cannot do this: when it is full it rejects a task before its `taskQueue`
 * sees it, so no work can displace other work, and an aborted task that has started ends its
 * thread. Work that runs in no thread waits here as well: see throttling/admission.ts.
 */
export function createBulkhead(limits: { running: number; waiting: number; maxWait: number }) {
  let running = 0
  let inARow = 0
  /** In the order of arrival. */
  const queue: Waiting[] = []

  const turn = (rank: number) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        queue.splice(queue.indexOf(entry), 1)
      }
      const entry: Waiting = {
        rank,
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
    const highest = Math.max(...queue.map(({ rank }) => rank))
    const lower = inARow < preferredInARow ? undefined : queue.find(({ rank }) => rank < highest)
    inARow = lower || highest <= 0 ? 0 : inARow + 1
    return lower ?? queue.find(({ rank }) => rank === highest)
  }

  /** Whether work that displaces nothing would be rejected now. */
  const isFull = () => running >= limits.running && queue.length >= limits.waiting

  /** Makes room, or throws `overloaded`. */
  function displace(rank: number) {
    const lowest = Math.min(...queue.map((each) => each.rank))
    const displaced = lowest < rank && queue.findLast((each) => each.rank === lowest)
    if (!displaced) throw overloaded()
    displaced.refuse()
  }

  return {
    isFull,
    /** Rejects all waiting work with `overloaded`. */
    clear() {
      for (const waiting of [...queue]) waiting.refuse()
    },
    load: () => ({ running, waiting: queue.length }),
    /**
     * Runs the work in turn. Throws `overloaded` when the queue is full or the wait too long.
     * @param of work of a higher rank starts first, except at every third turn
     */
    async run<T>(work: () => Promise<T>, of: Rank = 'others'): Promise<T> {
      if (running < limits.running) running++
      else {
        const rank = order[of]
        const share = Math.ceil(limits.waiting / (of === 'known' ? 2 : 4))
        const hasShare = queue.filter((each) => each.rank === rank).length >= share
        if (hasShare && (of === 'known' || isFull())) throw overloaded()
        if (isFull()) displace(rank)
        await turn(rank) // finished work passed its turn on
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
