import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { aUser, freshEmail, password, ownApp } from '../support/app.ts'

// A cost at which few logins fill the queue. Hashing threads have a low priority: on a busy machine
// a higher cost would make the known device wait longer than the server allows.
const app = await ownApp(t, { BCRYPT_COST: 10, TRUST_PROXY: ['127.0.0.1'] })
const login = (email: string, secret: string, ip: string, cookie = '') =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'x-forwarded-for': ip, cookie },
    payload: { email, password: secret }
  })
const charged = async () =>
  (await app.db.select().from(throttle)).filter(({ fails }) => fails > 0).length

t.test(
  'excess logins are rejected at once, are not counted, and delay neither health nor a known device',
  async (t) => {
    const owner = await aUser(app.database)
    const first = await login(owner.email, password, '198.51.100.1')
    const device = String([first.headers['set-cookie']].flat()[1]).split(';')[0] ?? ''

    const before = await charged()
    const tries = Array.from({ length: 60 }, (_, i) =>
      login(freshEmail(), 'not this one', `203.0.113.${i}`)
    )
    let answered = 0
    for (const each of tries) {
      each.then(({ statusCode }) => {
        if (statusCode === 401) answered++
      })
    }
    const refused = await Promise.any(
      tries.map(async (each) =>
        (await each).statusCode === 503 ? each : Promise.reject(new Error('another'))
      )
    )
    t.match(refused.json(), { code: 'overloaded', status: 503 })
    t.equal(refused.headers['retry-after'], '1')
    const [health, known] = await Promise.all([
      app.inject('/health/live'),
      login(owner.email, password, '198.51.100.1', device)
    ])
    t.equal(health.statusCode, 200)
    t.equal(known.statusCode, 200)
    const answeredBefore = answered
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode)
    t.same(new Set(statuses), new Set([401, 503]))
    const hashed = statuses.filter((status) => status === 401).length
    // If threads get little processor time, waiting logins time out before their turn.
    t.ok(
      answeredBefore < Math.max(hashed, 12),
      `the known device overtakes those that wait: ${answeredBefore} of ${hashed} were answered before it`
    )
    t.equal(
      (await charged()) - before,
      3 * hashed,
      'source, pair and account of each try that was made'
    )
  }
)

t.test(
  'one address that tries many accounts at once leaves room for logins from others',
  async (t) => {
    const owner = await aUser(app.database)
    const tries = Array.from({ length: 60 }, () =>
      login(freshEmail(), 'not this one', '203.0.113.200')
    )
    const first = await Promise.race(tries)
    t.equal(first.statusCode, 401)
    t.equal((await login(owner.email, password, '198.51.100.2')).statusCode, 200)
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode)
    t.notOk(statuses.includes(429))
  }
)
