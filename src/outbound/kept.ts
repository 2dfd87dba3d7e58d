const second = 1000
const times = { fresh: 3600 * second, usable: 86_400 * second, pause: 10 * second }

/**
 * Keeps what was read for an hour. Then it is read again, once for all who wait; if that fails, the
 * old value serves for a day. After a failure nobody reads for ten seconds, so that callers do not
 * wait for a server that does not answer.
 * @param now milliseconds
 */
export function kept<T>(read: () => Promise<T>, now = () => performance.now()) {
  let last: { value: T; at: number } | undefined
  let failure: { error: unknown; at: number } | undefined
  let reading: Promise<T> | undefined

  const isYounger = (than: number) => last !== undefined && now() - last.at < than
  const readOnce = async () => {
    try {
      const value = await read()
      last = { value, at: now() }
      failure = undefined
      return value
    } catch (error) {
      failure = { error, at: now() }
      throw error
    } finally {
      reading = undefined
    }
  }

  return async (): Promise<T> => {
    if (last && isYounger(times.fresh)) return last.value
    try {
      if (failure && now() - failure.at < times.pause) throw failure.error
      return await (reading ??= readOnce())
    } catch (error) {
      if (last && isYounger(times.usable)) return last.value
      throw error
    }
  }
}
