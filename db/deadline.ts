import { DatabaseTimeout } from './errors.ts'

/**
 * Settles as `work` does, or rejects with DatabaseTimeout after `ms`. PostgreSQL's own timeouts do
 * not help when the server or the network has stopped.
 * @param more how many milliseconds longer to wait, when they are over
 */
export function deadline<T>(
  work: PromiseLike<T>,
  ms: number,
  onLate?: () => void,
  more?: () => number
): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => {
      const left = more?.() ?? 0
      if (left > 0) {
        timer = setTimeout(expire, left)
        return
      }
      onLate?.()
      reject(new DatabaseTimeout(`The database did not answer within ${ms} ms`))
    }
    let timer = setTimeout(expire, ms)
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })
}
