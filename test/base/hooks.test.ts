import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { registrations } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import type { Hooks } from '../../src/base/definition.ts'
import type { Config } from '../../src/config/config.ts'
import type { Registering } from '../../src/domain/sign-in/context.ts'
import { freshEmail, password, until } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { withoutSlack } from '../support/slack.ts'
import { appWith } from './own-app.ts'

/** An application that asks this hook. */
async function asking(t: Test, hooks: object, config: Partial<Config> = {}) {
  const { log, output } = captureLog('info')
  const app = await appWith(t, { hooks: hooks as Hooks }, { config, logger: log })
  const register = (email = freshEmail()) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email, password, name: ' Zoë ' }
    })
  const isStored = async (email: string) =>
    (await app.db.$count(users, eq(users.email, email))) +
      (await app.db.$count(registrations, eq(registrations.email, email))) >
    0
  return { app, register, isStored, output }
}

/** Waits until no transaction is open, which never happens if one waits for its hook. */
const withoutTransaction = ({ db }: FastifyInstance) =>
  until(async () => {
    const open = sql`datname = current_database() and state = 'idle in transaction'`
    return (await db.$count(sql`pg_stat_activity`, open)) === 0
  })

const confirmed = { EMAIL_VERIFICATION: 'required' } as const

for (const [how, config] of Object.entries({ 'at once': {}, 'with confirmation': confirmed })) {
  t.test(`the app decides about a registration ${how}`, async (t) => {
    const asked: Registering[] = []
    const { register, isStored, app } = await asking(
      t,
      {
        async beforeRegister(registering: Registering) {
          await withoutTransaction(app)
          asked.push(registering)
          return { allow: !registering.email.startsWith('evil'), detail: 'Ask Grace for a place.' }
        }
      },
      config
    )
    const email = freshEmail()
    t.ok((await register(email)).statusCode < 300)
    t.ok(await isStored(email))
    t.same(asked, [{ email, name: 'Zoë', ip: '127.0.0.1' }])
    const evil = `evil${freshEmail()}`
    const mails = mailsOf(app)
    const refused = await register(evil)
    t.match(refused.json(), {
      status: 403,
      code: 'registration-refused',
      detail: 'Ask Grace for a place.'
    })
    t.notOk(await isStored(evil))
    t.same(await mails.to(evil), [])
  })
}

t.test('the app decides about somebody whom a provider has identified', async (t) => {
  const acme = await startOidcProvider(t)
  for (const trustsEmail of ['claim', 'never'] as const) {
    let isAllowed = false
    const asked: Registering[] = []
    const { app, isStored } = await asking(
      t,
      {
        async beforeRegister(registering: Registering) {
          await withoutTransaction(app)
          asked.push(registering)
          return { allow: isAllowed }
        }
      },
      { providers: [configured.oidc(acme, { trustsEmail })] }
    )
    const email = 'nora.field@example.com'
    const browser = aBrowser(app)
    t.equal((await browser.through('acme', 'nora')).problem, 'registration-refused', trustsEmail)
    t.notOk(await isStored(email))
    t.equal(await app.db.$count(providerAccounts), 0)
    t.same(asked, [{ email, name: 'Nora Field', ip: '127.0.0.1' }])
    isAllowed = true
    await aBrowser(app).through('acme', 'nora')
    t.ok(await isStored(email))
    if (trustsEmail === 'never') continue
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
    t.equal(asked.length, 2, 'a sign-in of somebody known asks nobody')
  }
})

const hanging = () => new Promise(() => {})
const large = 'x'.repeat(9_000_000)
const failing: Record<string, (() => unknown) | undefined> = {
  hangs: hanging,
  throws: () => {
    throw new Error('no table rules')
  },
  rejects: () => Promise.reject(new Error('no table rules')),
  'returns nothing': () => {},
  'returns something else': async () => large
}

t.test(
  'a hook that fails refuses the registration, unless the app chooses otherwise',
  async (t) => {
    withoutSlack(t)
    let hook = failing.hangs
    const beforeRegister = () => hook?.()
    const { app, register, isStored, output } = await asking(t, { beforeRegister })
    const open = await asking(t, { beforeRegister, onFailure: 'allow' })
    for (const [what, way] of Object.entries(failing)) {
      hook = way
      const before = output().length
      const email = freshEmail()
      const refused = await register(email)
      t.match(refused.json(), { status: 503, code: 'hook-failed' }, what)
      t.equal(refused.headers['retry-after'], '1')
      t.notOk(await isStored(email))
      t.same(
        (await app.db.select().from(throttle)).filter(({ fails }) => fails > 0),
        [],
        'the attempt does not count'
      )
      const written = output().slice(before)
      t.match(written, /the hook of a registration failed/)
      t.ok(written.length < 20_000)
      t.equal((await open.register()).statusCode, 201, what)
    }
  }
)

t.test('a refusal holds although its text cannot be shown', async (t) => {
  let detail: unknown
  const { register } = await asking(t, {
    beforeRegister: async () => ({ allow: false, detail }),
    onFailure: 'allow'
  })
  for (const each of [large, 'two\nlines', '', 7]) {
    detail = each
    const refused = await register()
    t.match(refused.json(), {
      code: 'registration-refused',
      detail: 'You cannot create an account here. Ask the people who run this site.'
    })
  }
})
