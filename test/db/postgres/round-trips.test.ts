// Not on PGlite: nothing is sent to it.

import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { statements } from '../../../db/statements.ts'
import type { SentStatement } from '../../../db/statements.ts'
import { happen } from '../../domain/webhooks/parts.ts'
import {
  aCaller,
  aUser,
  onPglite,
  ownApp,
  password,
  signedIn,
  testDatabase,
  testDatabaseUrl,
  until
} from '../../support/app.ts'
import { delayingProxy } from '../../support/delaying-proxy.ts'
import { noLimitsByAddress } from '../../support/test-config.ts'
import { anEndpoint } from '../../support/webhooks.ts'

const skip = onPglite && 'nothing is sent to it'
/** The first statement of each connection. A pool may open one at any time. */
const opening = 'select pg_is_in_recovery() as in_recovery'

/** Jobs of the process send statements as well: on a busy machine, during several runs in turn. */
const runsOfEach = 6

/**
 * The statements that are sent while `work` runs, besides those that open a connection: the fewest
 * of all runs.
 */
async function statementsOf(work: () => Promise<unknown>) {
  const runs = []
  for (let n = 0; n < runsOfEach; n++) {
    const texts: string[] = []
    const keep = (message: unknown) => {
      const { text } = message as SentStatement
      if (text !== opening) texts.push(text)
    }
    statements.subscribe(keep)
    try {
      await work()
    } finally {
      statements.unsubscribe(keep)
    }
    runs.push(texts)
  }
  return runs.reduce((fewest, each) => (each.length < fewest.length ? each : fewest))
}

/** How often `work` waits for the database: statements that are sent together count once. */
async function roundTripsOf(work: () => Promise<unknown>) {
  let waiting = 0
  let roundTrips = 0
  const count = (message: unknown) => {
    const { result } = message as SentStatement
    if (waiting++ === 0) roundTrips += 1
    const arrived = () => {
      waiting -= 1
    }
    result.then(arrived, arrived)
  }
  statements.subscribe(count)
  try {
    await work()
  } finally {
    statements.unsubscribe(count)
  }
  return roundTrips
}

/** The fewest of all runs. */
async function fewestOf(work: () => Promise<unknown>) {
  const counts = []
  for (let n = 0; n < runsOfEach; n++) counts.push(await roundTripsOf(work))
  return Math.min(...counts)
}

t.test(
  'a login waits nine times for the database, and a change of name seven',
  { skip },
  async (t) => {
    const app = await ownApp(t)
    const { email } = await aUser(app.database)
    const logIn = async () => {
      const payload = { email, password }
      const { statusCode } = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
      t.equal(statusCode, 200)
    }
    await logIn() // the first one is not reported to the user
    t.ok((await fewestOf(logIn)) <= 9)

    const { call } = await aCaller(app)
    let names = 0
    const rename = async () => {
      const { statusCode } = await call('PUT', '/api/user/name', { name: `Name ${names++}` })
      t.equal(statusCode, 200)
    }
    t.ok((await fewestOf(rename)) <= 7)
  }
)

t.test('as many round trips are on the wire to a database 50 ms away', { skip }, async (t) => {
  const way = await delayingProxy(t, await testDatabaseUrl(t), true)
  const app = await ownApp(t, noLimitsByAddress, await openDatabase(way.url))
  const { email } = await aUser(app.database)
  const { call } = await aCaller(app)
  const logIn = () =>
    app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
  let names = 0
  const rename = () => call('PUT', '/api/user/name', { name: `Name ${names++}` })
  way.move(50)
  for (const [send, most] of [
    [logIn, 9],
    [rename, 7]
  ] as const) {
    // Opening a connection takes more, jobs send statements as well, and a machine may be busy.
    let fewest = Infinity
    await until(async () => {
      const before = way.steps()
      const { statusCode } = await send()
      if (statusCode === 200) fewest = Math.min(fewest, way.steps() - before)
      return fewest <= most
    })
    t.ok(fewest > most - 3, `the proxy counts: ${fewest}`)
  }
})

t.test('a record that no webhook hears takes one statement', { skip }, async (t) => {
  const { db } = await testDatabase(t)
  await anEndpoint({ db }, { events: ['user.*'], state: 'active' })
  const sent = await statementsOf(async () => happen(db))
  t.equal(sent.length, 3, sent.join('\n'))
  t.match(sent, [/^begin/, /^with recorded as \(insert into "activity"/, /^commit$/])
})

t.test('a webhook does not change the statements of a session check', { skip }, async (t) => {
  const app = await ownApp(t)
  const { email } = await aUser(app.database)
  const me = async (cookie: string) => {
    const { statusCode, body } = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    t.equal(statusCode, 200, body)
  }
  const checks = async () => {
    const cookies: string[] = []
    while (cookies.length < runsOfEach) cookies.push(await signedIn(app, email))
    const known = cookies[0] ?? ''
    const first = await statementsOf(async () => me(cookies.pop() ?? ''))
    return { first, next: await statementsOf(async () => me(known)) }
  }
  const before = await checks()
  t.ok(before.first.length > before.next.length)
  t.notMatch(JSON.stringify(before), /webhook|deliver/)
  await anEndpoint(app.database, { events: ['*'], state: 'active' })
  t.same(await checks(), before)
})
