import { DatabaseTimeout } from './errors.ts'

/**
 * Settles as `work` does, or rejects with DatabaseTimeout after `ms`. PostgreSQL's own timeouts do
 * not help when the server or the network has stopped.
 */
export function deadline<T>(work: PromiseLike<T>, ms: number, onLate?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate?.()
      reject(new DatabaseTimeout(`The database did not answer within ${ms} ms`))
    }, ms)
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
