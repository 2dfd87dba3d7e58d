import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { startInstance } from '../resilience/instances.ts'
import {
  aRole,
  aUser,
  onPglite,
  operator,
  password,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { schemaFile, settingsFile } from '../support/settings.ts'

// Takes about 90 s

// A thief with a copied session and a copied key sends all they can for a minute. Meanwhile the owner
// ends the session, revokes the key and changes the password, time and again.

const actions = 50
const seconds = 60
/** Requests of the thief at a time, by the session and by the key. */
const floods = { session: 12, key: 12 }
/** Milliseconds that a person waits before another try. */
const pause = 500
const mostTries = 10
/** The limits of production, which the other checks disable. */
const limits = { THROTTLE_WRITES: '60/1', THROTTLE_PASSWORD: '10/60' }

type Headers = Record<string, string>
type Kind = keyof typeof floods

t.test(
  'the owner ends what a thief has at the first or second try, while the thief floods',
  { skip: onPglite && 'the server has the database' },
  async (t) => {
    const DATABASE_URL = await testDatabaseUrl(t)
    const database = await openDatabase(DATABASE_URL)
    t.teardown(() => database.close())
    const user = await aUser(database)
    const role = await aRole(database, 'keys:create', 'app-settings:update', 'users:read')
    await grantRole(database.db, operator, { userId: user.id, role })
    const SETTINGS_SCHEMA = settingsFile(t, schemaFile)
    const server = await startInstance(t, { DATABASE_URL, SETTINGS_SCHEMA, ...limits })
    const { base } = await server.ready()

    const send = async (method: string, path: string, headers: Headers, body?: object) => {
      const response = await fetch(base + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) })
      })
      const text = await response.text()
      const [cookie] = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
      return { status: response.status, text, cookie }
    }
    let secret = password
    const signIn = async () => {
      const login = { email: user.email, password: secret }
      const { status, text, cookie = '' } = await send('POST', '/api/auth/login', {}, login)
      if (status !== 200) throw new Error(`no session: ${status} ${text}`)
      return { id: (JSON.parse(text) as { session: { id: string } }).session.id, cookie }
    }
    const owner = await signIn()
    const keys: { id: string; secret: string }[] = []
    for (let i = 0; i < actions / 3; i++) {
      const { text } = await send('POST', '/api/user/keys', owner, { name: `Key ${i}` })
      keys.push(JSON.parse(text) as { id: string; secret: string })
    }

    let copied = await signIn()
    let key = keys[0]
    const wrong = { currentPassword: 'a wrong password', newPassword: 'of the thief, a new one' }
    const settings = `/api/machine/users/${user.id}/app-settings`
    const ofThief: Record<Kind, [method: string, path: string, body?: object][]> = {
      session: [
        ['PUT', '/api/user/theme', { theme: 'dark' }],
        ['GET', '/api/user/keys'],
        ['PUT', '/api/user/password', wrong],
        ['POST', '/api/auth/reauthenticate', { password: 'wrong as well' }],
        ['GET', '/api/user/activity'],
        ['DELETE', '/api/user/sessions/00000000-0000-4000-8000-000000000000'],
        ['DELETE', '/api/user/keys/00000000-0000-4000-8000-000000000000']
      ],
      key: [
        ['PATCH', settings, { plan: 'pro' }],
        ['GET', '/api/machine/me']
      ]
    }
    const headersOf = (kind: Kind): Headers =>
      kind === 'session'
        ? { cookie: copied.cookie }
        : { authorization: `Bearer ${key?.secret ?? ''}` }
    const answers: Record<Kind, Record<number, number>> = { session: {}, key: {} }
    const over = new AbortController()
    const flood = async (kind: Kind) => {
      for (let i = 0; !over.signal.aborted; i++) {
        const [method, path, body] = ofThief[kind][i % ofThief[kind].length] ?? ['GET', '/']
        const { status } = await send(method, path, headersOf(kind), body)
        answers[kind][status] = (answers[kind][status] ?? 0) + 1
      }
    }
    const thief = Object.entries(floods).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => flood(kind as Kind))
    )
    const refused = (kind: Kind) => answers[kind][429] ?? 0
    /** The session and key that the thief has now have used up limits. */
    const isUsedUp = async () => {
      const before = { session: refused('session'), key: refused('key') }
      await until(() => refused('session') > before.session + 5 && refused('key') > before.key + 5)
    }

    const begun = performance.now()
    const tried: { action: string; tries: number; ms: number }[] = []
    const act = async (action: string, method: string, path: string, body?: object) => {
      const start = performance.now()
      for (let tries = 1; tries <= mostTries; tries++) {
        const { status, cookie } = await send(method, path, { cookie: owner.cookie }, body)
        if (cookie !== undefined) owner.cookie = cookie
        if (status === 204) {
          tried.push({ action, tries, ms: Math.round(performance.now() - start) })
          return
        }
        await wait(pause)
      }
      tried.push({ action, tries: Infinity, ms: Infinity })
    }
    const outside: string[] = []
    const mustBeOut = async (kind: Kind) => {
      const path = kind === 'session' ? '/api/auth/me' : '/api/machine/me'
      const { status } = await send('GET', path, headersOf(kind))
      if (status !== 401) outside.push(`${kind} ${status}`)
    }
    for (let i = 0; tried.length < actions; i++) {
      await until(() => performance.now() - begun > (i * seconds * 1000) / actions)
      await isUsedUp()
      if (i % 3 === 0) {
        await act('end the session', 'DELETE', `/api/user/sessions/${copied.id}`)
        await mustBeOut('session')
        copied = await signIn()
      } else if (i % 3 === 1) {
        await act('revoke the key', 'DELETE', `/api/user/keys/${key?.id}`)
        await mustBeOut('key')
        key = keys[Math.ceil(i / 3)]
      } else {
        const newPassword = `horse battery number ${i}`
        const body = { currentPassword: secret, newPassword }
        await act('change the password', 'PUT', '/api/user/password', body)
        await mustBeOut('session')
        secret = newPassword
        copied = await signIn()
      }
    }
    over.abort()
    await Promise.all(thief)

    const took = Math.round((performance.now() - begun) / 1000)
    const tries = (count: number) => tried.filter((each) => each.tries === count).length
    const slowest = Math.max(...tried.map(({ ms }) => ms))
    t.comment(`${tries(1)} at the first, ${tries(2)} at the second of ${actions}; ${took} s`)
    t.comment(`the slowest took ${slowest} ms; answers to the thief: ${JSON.stringify(answers)}`)
    t.equal(tried.length, actions)
    t.same(
      tried.filter((each) => each.tries > 2),
      []
    )
    t.same(outside, [], 'what was ended is over')
  }
)

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
