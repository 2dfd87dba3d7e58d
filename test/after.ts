import postgres from 'postgres'
import { clean, readState, testFolder } from './postgres.ts'

// Once after all test files.
const { url, template } = readState()
if (process.env.TEST_DATABASE_URL && url !== 'pglite:memory') {
  const admin = postgres(url, { max: 1 })
  await admin`drop database if exists ${admin(template)}`
  await admin.end()
}
await clean(testFolder)
