// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../../db/schema/outbox.ts'
import { enqueueMail } from '../../../../src/domain/outbox/enqueue.ts'
import { samples, token } from '../../../mail/samples.ts'
import { aCaller, activityOf, aUser, ownApp, until } from '../../../support/app.ts'

const app = await ownApp(t)
const { call, user: admin } = await aCaller(app, 'admin')
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
const address = 'secret-address@example.com'

t.beforeEach(async () => {
  await app.db.delete(outbox)
})

const later = sql`now() + interval '4 hours'`
const states = {
  pending: { nextAt: later },
  sent: { payload: null, doneAt: sql`now()` },
  dead: { doneAt: sql`now()`, lastError: 'smtp 550' },
  dropped: { payload: null, doneAt: sql`now()` },
  caught: { doneAt: sql`now()` }
} as const

/** Writes a mail that is in this state already, so that no worker takes it. */
async function aMail(
  state: keyof typeof states,
  changes: { expiresAt?: SQL; userId?: string } = {}
) {
  const { mail } = app.context
  if (!mail) throw new Error('no mail can be written')
  return app.db.transaction(async (tx) => {
    const id = await enqueueMail(
      tx,
      mail,
      { to: address, reader: {}, content: samples.recovery },
      {}
    )
    await tx
      .update(outbox)
      .set({ state, ...states[state], ...changes })
      .where(eq(outbox.id, id))
    return id
  })
}
const stateOf = async (id: string) =>
  (await app.db.select({ state: outbox.state }).from(outbox).where(eq(outbox.id, id)))[0]?.state
const retry = (id: string) => call('POST', `/api/admin/outbox/${id}/retry`)

t.test('mail is listed newest first, without its address and its contents', async (t) => {
  const user = await aUser(app.database)
  const sent = await aMail('sent')
  const dead = await aMail('dead', { userId: user.id })
  const response = await call('GET', '/api/admin/outbox')
  const { items, nextCursor } = response.json()
  t.equal(nextCursor, null)
  t.match(items, [
    { id: dead, state: 'dead', userId: user.id, lastError: 'smtp 550', doneAt: /Z$/ },
    { id: sent, state: 'sent', userId: null, recipient: 's…@example.com', attempts: 0 }
  ])
  const ofUser = (await call('GET', `/api/admin/outbox?userId=${user.id}`)).json().items
  t.same(ofUser, items.slice(0, 1), 'or only that of one user')
  t.same(Object.keys(items[0]).sort(), [
    'attempts',
    'createdAt',
    'doneAt',
    'expiresAt',
    'id',
    'kind',
    'lastError',
    'lastReply',
    'nextAt',
    'recipient',
    'state',
    'user',
    'userId'
  ])
  t.notMatch(response.body, new RegExp(`${address}|${token}`))
})

t.test('mail is listed by state, in both orders and page by page', async (t) => {
  const ids: Record<string, string[]> = {}
  const all: string[] = []
  for (let round = 0; round < 2; round++) {
    for (const state of Object.keys(states) as (keyof typeof states)[]) {
      const id = await aMail(state)
      ;(ids[state] ??= []).unshift(id)
      all.unshift(id)
    }
  }
  const walk = async (query: string) => {
    const found: string[] = []
    let url: string | undefined = `/api/admin/outbox?${query}`
    while (url) {
      const response = await call('GET', url)
      found.push(...response.json().items.map(({ id }: { id: string }) => id))
      url = /^<(.*)>/.exec(String(response.headers.link))?.[1]
    }
    return found
  }
  t.same(await walk('limit=3'), all)
  t.same(await walk('limit=3&sort=createdAt'), all.toReversed())
  for (const state of Object.keys(states)) {
    t.same(await walk(`limit=1&state=${state}`), ids[state], state)
  }
  t.match((await call('GET', '/api/admin/outbox?state=lost')).json(), {
    status: 400,
    errors: [{ pointer: '/query/state', code: 'not-allowed' }]
  })
})

t.test('a dead mail that is sent again is delivered, and recorded', async (t) => {
  const user = await aUser(app.database)
  const id = await aMail('dead', { userId: user.id })
  t.equal((await retry(id)).statusCode, 204)
  await until(async () => (await stateOf(id)) === 'caught')
  t.match((await activityOf(app.database, user.id))[0], {
    action: 'mail.retry',
    outcome: 'success',
    actorId: admin.id,
    details: { kind: 'recovery', count: 1 }
  })
})

t.test('a mail that waits for its next delivery is delivered at once', async (t) => {
  const id = await aMail('pending')
  t.equal((await retry(id)).statusCode, 204)
  await until(async () => (await stateOf(id)) === 'caught')
})

t.test('mail that was delivered or has expired, and unknown mail, is not sent again', async (t) => {
  for (const id of [
    await aMail('sent'),
    await aMail('dropped'),
    await aMail('caught'),
    await aMail('dead', { expiresAt: sql`now()` })
  ]) {
    const before = await stateOf(id)
    t.match((await retry(id)).json(), { status: 409, code: 'mail-finished' }, String(before))
    t.equal(await stateOf(id), before)
  }
  t.match((await retry(nobody)).json(), { status: 404, code: 'mail-not-found' })
  t.match((await retry('1')).json(), { status: 400, errors: [{ pointer: '/path/id' }] })
})
