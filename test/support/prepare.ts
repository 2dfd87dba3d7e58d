import postgres from 'postgres'
import { migrated } from './migrated.ts'
import {
  createTestFolder,
  databaseUrl,
  pgliteTemplate,
  startThrowawayPostgres,
  testFolder
} from './postgres.ts'
import { databasePrefix, writeState } from './test-server.ts'

// A separate process, started once per run when a test needs a database: a server, and a migrated
// database that each test clones.
createTestFolder()
const given = process.env.TEST_DATABASE_URL
const { url, socket } = given
  ? { url: given, socket: undefined }
  : await startThrowawayPostgres(testFolder)
const template = `${databasePrefix}portal_template_${process.pid}`

if (url === 'pglite:memory') {
  await migrated(`pglite:${pgliteTemplate}`)
} else {
  const admin = postgres(url, { max: 1 })
  await admin`create database ${admin(template)}`
  await admin.end()
  await migrated(databaseUrl(url, template))
}
writeState({ url, template, ...(socket !== undefined && { socket }) })
process.exit() // an embedded engine would keep the process for a while
