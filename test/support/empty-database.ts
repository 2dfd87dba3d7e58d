import postgres from 'postgres'
import type { Test } from 'tap'
import { onPglite, temporaryFolder, testDatabaseUrl } from './app.ts'

/** An empty database, without a schema. */
export async function emptyDatabaseUrl(t: Pick<Test, 'teardown'>) {
  if (onPglite) return `pglite:${temporaryFolder(t)}/db`
  const url = await testDatabaseUrl(t)
  const client = postgres(url, { max: 1, onnotice: () => {} })
  await client.unsafe(
    'drop schema public cascade; drop schema drizzle cascade; create schema public'
  )
  await client.end()
  return url
}
