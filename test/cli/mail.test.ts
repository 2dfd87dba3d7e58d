import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { claim } from '../../src/domain/outbox/claim.ts'
import { enqueue } from '../../src/domain/outbox/enqueue.ts'
import { completeDelivery } from '../../src/domain/outbox/complete-delivery.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { aMail } from '../domain/outbox/parts.ts'
import { aUser, testDatabaseUrl } from '../support/app.ts'
import { runner } from './run.ts'

const url = await testDatabaseUrl(t)
const aKey = (kid: string) => ({ kid, secret: randomBytes(32) })
const textOf = ({ kid, secret }: ReturnType<typeof aKey>) =>
  `${kid}:${secret.toString('base64url')}`
const [k1, k2] = [aKey('k1'), aKey('k2')]
const env = {
  DATABASE_URL: url,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  SECRET_KEYS: [k2, k1].map(textOf).join()
}
const { run, ok, json } = runner(env)
const address = 'secret-address@example.com'

/** PGlite lets only one process in at a time: commands run while the database is closed. */
async function withDb<T>(work: (db: Db, database: Database) => Promise<T>) {
  const database = await openDatabase(url)
  try {
    return await work(database.db, database)
  } finally {
    await database.close()
  }
}
const add = async (db: Db, userId?: string) =>
  db.transaction((tx) =>
    enqueue(tx, createSealing([k1]), {
      kind: 'recovery',
      userId,
      payload: aMail(address),
      expiresIn: 86_400
    })
  )
async function addDead(db: Db, userId?: string) {
  const id = await add(db, userId)
  for (const row of await claim(db, 10)) {
    await completeDelivery(db, row, { outcome: 'final', error: 'smtp 550' })
  }
  return id
}
const finding = async (check: string) =>
  json(await run('doctor --json')).find((each: { check: string }) => each.check === check)

const { dead, other, waiting, user } = await withDb(async (db, database) => {
  const user = await aUser(database, 'ada@example.com')
  return {
    dead: await addDead(db, user.id),
    other: await addDead(db),
    waiting: await add(db),
    user
  }
})

t.test(
  'mail is listed with its state and the class of its error, without its address',
  async (t) => {
    const table = await ok(t, 'mail list')
    t.match(table.stdout, /^CREATED +KIND +TO +USER +STATE +ATTEMPTS +ERROR +ID +REPLY\n/)
    t.match(
      table.stdout,
      new RegExp(`recovery +\\S…@\\S+ +ada@example\\.com +dead +1 +smtp 550 +${dead} +-\n`)
    )
    t.notMatch(table.stdout, address)
    const list = json(await ok(t, 'mail list --json'))
    t.match(list, [
      { id: waiting, state: 'pending', attempts: 0, userEmail: null },
      { id: other, state: 'dead', lastError: 'smtp 550' },
      { id: dead, userEmail: 'ada@example.com' }
    ])
    t.notOk('payload' in list[0])
    t.equal(json(await ok(t, 'mail list --state dead --json')).length, 2)
    t.equal((await run('mail list --state lost')).code, 2)
    const ofUser = json(await ok(t, 'mail list --user ada@example.com --json'))
    t.same(ofUser, list.slice(2), 'or only that of one user')
  }
)

t.test('doctor warns of dead mail, and of mail that waits for long', async (t) => {
  t.match(await finding('mail'), { result: 'warning', finding: /^1 waiting, .*, 2 dead$/ })
  await withDb((db) => db.update(outbox).set({ createdAt: sql`now() - interval '6 minutes'` }))
  t.match(await finding('mail'), { finding: /^1 waiting, the oldest for [3-9]\d\d s, 2 dead/ })
  await withDb((db) =>
    db.update(outbox).set({ lastError: 'connect' }).where(eq(outbox.id, waiting))
  )
  t.match(await finding('mail'), {
    finding: /^1 waiting, .* \(last error: connect\), 2 dead, but /
  })
})

t.test('dead mail is sent again: one, or all', async (t) => {
  for (const [args, code] of [
    ['mail retry', 2],
    ['mail retry 1', 2],
    [`mail retry ${dead} --dead`, 2],
    ['mail retry --dead --pending', 2],
    ['mail retry 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', 3]
  ] as const) {
    t.equal((await run(args)).code, code, args)
  }
  t.match(json(await ok(t, `mail retry ${dead} --json`)), { retried: 1 })
  t.match(json(await ok(t, 'mail list --state dead --json')), [{ id: other }])
  t.match((await ok(t, 'mail retry --dead')).stderr, /^1 mail will be sent/)
  t.match((await ok(t, 'mail retry --dead')).stderr, /^0 mails will be sent/)
  t.match((await ok(t, 'mail retry --pending')).stderr, /^0 mails will be sent/)
  await withDb((db) => db.update(outbox).set({ nextAt: sql`now() + interval '4 hours'` }))
  t.match(json(await ok(t, 'mail retry --pending --json')), { retried: 3 })
  const states = await withDb((db) => db.select({ state: outbox.state }).from(outbox))
  t.same(new Set(states.map(({ state }) => state)), new Set(['pending']))
  const records = await withDb((db) =>
    db.select().from(activity).where(eq(activity.action, 'mail.retry')).orderBy(activity.id)
  )
  t.match(
    records,
    [
      { actorType: 'cli', targetId: user.id, details: { kind: 'recovery', count: 1 } },
      { actorType: 'cli', targetId: null, details: { count: 1 } },
      { actorType: 'cli', targetId: null, details: { count: 3 } }
    ],
    'and recorded, unless there was none'
  )
  t.equal(records.length, 3)
})

t.test('mail that has expired stays dead', async (t) => {
  const id = await withDb(async (db) => {
    const made = await addDead(db)
    await db
      .update(outbox)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(outbox.id, made))
    return made
  })
  const refused = await run(`mail retry ${id}`)
  t.match(refused, { code: 4, stderr: /cannot be sent again/ })
})

t.test('reseal renews values that an older key sealed, and doctor counts them', async (t) => {
  const total = await withDb((db) => db.$count(outbox))
  const lost = await withDb((db) =>
    db.transaction((tx) =>
      enqueue(tx, createSealing([aKey('k0')]), {
        kind: 'recovery',
        payload: aMail(address),
        expiresIn: 60
      })
    )
  )
  t.match(await finding('sealed values'), { result: 'warning', finding: /^1 cannot be opened/ })
  const report = await run('reseal --json')
  t.equal(report.code, 1, 'a script must not go on to destroy the older key')
  t.match(json(report), { resealed: total, unreadable: 1 })
  t.match(report.stderr, /none of these SECRET_KEYS opens: 1\./)
  await withDb((db) => db.delete(outbox).where(eq(outbox.id, lost)))
  t.match(await finding('sealed values'), {
    result: 'ok',
    finding: `${total}, all sealed with the first key`
  })
  t.match(json(await ok(t, 'reseal --json')), { resealed: 0, unreadable: 0 })

  await withDb((db) => add(db))
  t.match(await finding('sealed values'), {
    result: 'warning',
    finding: '1 sealed with an older key',
    todo: /portal reseal/
  })

  // The secret of an authenticator app is as much as a mail, and more to its user.
  const addSecret = (key: ReturnType<typeof aKey>) =>
    withDb(async (db) => {
      const secret = createSealing([key]).seal('totp', user.id, randomBytes(20))
      const row = { userId: user.id, secret, confirmedAt: new Date() }
      await db.insert(totp).values(row).onConflictDoUpdate({ target: totp.userId, set: row })
    })
  await addSecret(aKey('k0'))
  t.match(await finding('sealed values'), {
    result: 'warning',
    finding: /^1 cannot be opened.*users who cannot use their authenticator app: 1$/,
    todo: /add the key that was removed/
  })
  await addSecret(k1)
  t.match(await finding('sealed values'), { finding: '2 sealed with an older key' })
  t.match(json(await ok(t, 'reseal --json')), { resealed: 2, unreadable: 0 })
  t.match(await finding('sealed values'), { result: 'ok' })

  const withoutKeys = runner({ DATABASE_URL: url })
  t.match(await withoutKeys.run('reseal'), { code: 1, stderr: /SECRET_KEYS is not set/ })
  const doctor = await withoutKeys.run('doctor --json')
  t.notMatch(doctor.stdout, 'sealed values')
})
