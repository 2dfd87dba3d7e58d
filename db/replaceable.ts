import type { Sql } from 'postgres'

/**
 * A client that is replaced by a new one when so many statements in a row were late: its connections may have been cut without
 * a word, and TCP takes a quarter of an hour to notice.
 */
export function replaceable (open: () => Sql, missesUntilReplaced: number) {
  let client = open()
  let misses = 0
  return {
    current: () => client,
    answered () { misses = 0 },
    late (used: Sql) {
      if (used !== client || ++misses < missesUntilReplaced) return
      misses = 0
      client = open()
      // Drizzle gave the first one its parsers.
      Object.assign(client.options.parsers, used.options.parsers)
      Object.assign(client.options.serializers, used.options.serializers)
      used.end({ timeout: 0 }).catch(() => {})
    },
    close: () => client.end({ timeout: 5 })
  }
}
