import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { developmentBanner } from '../src/banner.ts'
import { temporaryFolder } from './helpers.ts'

const address = { address: '127.0.0.1', family: 'IPv4', port: 3000 }
const cwd = process.cwd()
const folder = temporaryFolder(t)
process.chdir(folder)
t.teardown(() => process.chdir(cwd))

/** The first start on a database that just got an administrator with this password. */
const firstStart = (databaseUrl: string, database: string, adminPassword: string) =>
  developmentBanner({ address, databaseUrl, database, adminPassword }, false)
const kept = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim()

t.test('each development database keeps the password of its administrator in its own file', async (t) => {
  const databases = [
    ['pglite:.data/portal', 'PGlite in .data/portal', '.data/admin-password'],
    ['pglite:.data/second', 'PGlite in .data/second', '.data/second.admin-password'],
    ['pglite:other/', 'PGlite in other', 'other.admin-password'],
    [`pglite:${folder}/deep/db`, 'PGlite in deep/db', 'deep/db.admin-password'],
    ['pglite:memory', 'PGlite in memory', '.data/PGlite-in-memory.admin-password'],
    ['postgres://ada:secret@localhost:5432/portal', 'PostgreSQL at localhost:5432/portal',
      '.data/PostgreSQL-at-localhost-5432-portal.admin-password'],
    ['postgres://ada:secret@localhost:5432/other', 'PostgreSQL at localhost:5432/other',
      '.data/PostgreSQL-at-localhost-5432-other.admin-password']
  ] as const
  for (const [url, label, file] of databases) {
    t.match(firstStart(url, label, `password of ${url}`), `Password  in ${file}\n`)
  }
  for (const [url, , file] of databases) {
    t.equal(kept(file), `password of ${url}`, file)
    t.equal(statSync(file).mode & 0o777, 0o600)
  }
})

t.test('a new database in the place of one that was deleted gets a new password', async (t) => {
  firstStart('pglite:again', 'PGlite in again', 'first')
  firstStart('pglite:again', 'PGlite in again', 'second')
  t.equal(kept('again.admin-password'), 'second')
})
