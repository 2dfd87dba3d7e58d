import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { developmentBanner } from '../../src/banner.ts'
import { temporaryFolder } from '../support/app.ts'

const listening = {
  host: '127.0.0.1',
  port: 3000,
  hasSample: true,
  hasConsole: true,
  hasAccountPages: true,
  catchesMail: true
}
const cwd = process.cwd()
const folder = temporaryFolder(t)
process.chdir(folder)
t.teardown(() => process.chdir(cwd))

/** The banner of the first start, which created an administrator with this password. */
const firstStart = (databaseUrl: string, database: string, adminPassword: string) =>
  developmentBanner({ ...listening, databaseUrl, database, adminPassword }, false)
const kept = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim()

t.test(
  'each development database keeps the password of its administrator in its own file',
  async (t) => {
    const databases = [
      ['pglite:.data/portal', 'PGlite in .data/portal', '.data/admin-password'],
      ['pglite:.data/second', 'PGlite in .data/second', '.data/second.admin-password'],
      ['pglite:other/', 'PGlite in other', 'other.admin-password'],
      [`pglite:${folder}/deep/db`, 'PGlite in deep/db', 'deep/db.admin-password'],
      ['pglite:memory', 'PGlite in memory', '.data/PGlite-in-memory.admin-password'],
      [
        'postgres://ada:secret@localhost:5432/portal',
        'PostgreSQL at localhost:5432/portal',
        '.data/PostgreSQL-at-localhost-5432-portal.admin-password'
      ],
      [
        'postgres://ada:secret@localhost:5432/other',
        'PostgreSQL at localhost:5432/other',
        '.data/PostgreSQL-at-localhost-5432-other.admin-password'
      ]
    ] as const
    for (const [url, label, file] of databases) {
      t.match(firstStart(url, label, `password of ${url}`), `Password  in ${file}\n`)
    }
    for (const [url, , file] of databases) {
      t.equal(kept(file), `password of ${url}`, file)
      t.equal(statSync(file).mode & 0o777, 0o600)
    }
  }
)

t.test('a database that replaces a deleted one gets a new password', async (t) => {
  firstStart('pglite:again', 'PGlite in again', 'first')
  firstStart('pglite:again', 'PGlite in again', 'second')
  t.equal(kept('again.admin-password'), 'second')
})

const laterStart = (databaseUrl: string, database: string, host = listening.host) =>
  developmentBanner({ ...listening, host, databaseUrl, database, adminPassword: undefined }, true)

t.test(
  'later starts show the administrator and the password file, but not the password',
  async (t) => {
    firstStart('pglite:later', 'PGlite in later', 'canary')
    const banner = laterStart('pglite:later', 'PGlite in later')
    t.match(banner, /Admin +admin@portal\.localhost\n +Password +in later\.admin-password, unless/)
    t.notMatch(banner, 'canary')
  }
)

t.test('the banner names no administrator without a password file', async (t) => {
  t.notMatch(
    laterStart('postgres://ada@localhost/none', 'PostgreSQL at localhost/none'),
    /Admin|Password/
  )
})

t.test('the banner says how to reset an embedded database', async (t) => {
  t.match(
    laterStart('pglite:.data/portal', 'PGlite in .data/portal'),
    /Reset +stop the server, delete \.data and start again/
  )
  t.match(
    laterStart('pglite:other', 'PGlite in other'),
    /Reset +stop the server, delete other and start again/
  )
  for (const url of ['pglite:memory', 'postgres://ada@localhost/portal']) {
    t.notMatch(laterStart(url, 'A database'), 'Reset')
  }
})

t.test('the banner names the sample where it can be filled in', async (t) => {
  const url = 'postgres://ada@db.example.com/portal'
  const banner = (hasSample: boolean) =>
    developmentBanner(
      {
        ...listening,
        hasSample,
        databaseUrl: url,
        database: 'A database',
        adminPassword: undefined
      },
      true
    )
  t.match(banner(true), /Sample +npm run dev -- --sample fills .*, --sample off removes it/)
  t.notMatch(banner(false), 'Sample')
})

t.test('the links of the banner can be opened', async (t) => {
  const docs = (host: string) =>
    /Docs +(\S+)/.exec(laterStart('pglite:memory', 'PGlite in memory', host))?.[1]
  for (const host of ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::']) {
    t.equal(docs(host), 'http://localhost:3000/docs', host)
  }
  t.equal(docs('127.0.0.2'), 'http://127.0.0.2:3000/docs')
  t.equal(docs('fd00::2'), 'http://[fd00::2]:3000/docs')
  t.equal(docs('Box.lan'), 'http://box.lan:3000/docs')
})

t.test('the banner prints the address of caught mail where it can be opened', async (t) => {
  const mail = (host: string, catchesMail = true) => {
    const facts = { ...listening, host, catchesMail, databaseUrl: 'pglite:memory' }
    const banner = developmentBanner(
      { ...facts, database: 'PGlite in memory', adminPassword: undefined },
      true
    )
    return /Mail +(\S+)/.exec(banner)?.[1]
  }
  for (const host of ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::']) {
    t.equal(mail(host), 'http://localhost:3000/mail', host)
  }
  t.equal(mail('127.0.0.2'), 'http://127.0.0.2:3000/mail')
  for (const host of ['192.0.2.7', 'fd00::2', 'box.lan']) t.equal(mail(host), undefined, host)
  t.equal(mail('127.0.0.1', false), undefined, 'with a mail server')
})
