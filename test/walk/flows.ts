import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { exampleProviders } from '../../src/config/development-files.ts'
import { startMailServer } from '../mail/server.ts'
import { aCaller, aUser, password, testDatabase, until } from '../support/app.ts'
import { aFlag } from '../support/flags.ts'
import { aService, aServiceKey, keyCaller } from '../support/keys.ts'
import { confirmed, tokenIn } from '../support/mails.ts'
import { freePort } from '../support/postgres.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { noLimitsByAddress, testConfig } from '../support/test-config.ts'

/** A portal with a mail server and the example provider. */
export async function startPortal(life: Pick<Test, 'teardown'>) {
  const mailbox = await startMailServer(life, { tls: 'none' })
  const [port, METRICS_PORT] = [await freePort(), await freePort()]
  const PUBLIC_ORIGIN = `http://localhost:${port}`
  const config = testConfig({
    ...noLimitsByAddress,
    PUBLIC_ORIGIN,
    ACCOUNT_URL: `${PUBLIC_ORIGIN}/account`,
    CORS_ORIGINS: ['https://app.example.com'],
    METRICS_PORT,
    MAIL_URL: mailbox.url,
    MAIL_FROM: 'portal@example.com',
    providers: exampleProviders({ PUBLIC_ORIGIN }),
    settingsSchemas: settingsOf(life, schemaFile)
  })
  const app = buildApp(config, { database: await testDatabase(life) })
  life.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port })
  life.teardown(() => app.server.closeAllConnections())
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  const aMember = async () => confirmed(app.database, await aUser(app.database))
  const recover = (email: string) => post('/api/auth/recovery', { email })
  const recoveryMail = async (email: string) =>
    until(() => mailbox.mails.find(({ to, raw }) => to.includes(email) && raw.includes('/reset')))
  return { app, post, aMember, recover, recoveryMail }
}

type Prepare = (
  portal: Awaited<ReturnType<typeof startPortal>>
) => Promise<() => Promise<{ statusCode: number } | undefined>>

/** Each prepares what its request needs, and returns the function that sends it. */
export const flows: Record<string, Prepare> = {
  /** The first one, so that the worker is watched from then on. */
  async 'recovery-mail'({ aMember, recover, recoveryMail }) {
    const { email } = await aMember()
    return async () => {
      const response = await recover(email)
      await recoveryMail(email)
      return response
    }
  },
  async 'session-check'({ app }) {
    const { call } = await aCaller(app)
    return () => call('GET', '/api/auth/me')
  },
  async login({ aMember, post }) {
    const { email } = await aMember()
    return () => post('/api/auth/login', { email, password })
  },
  async name({ app }) {
    const { call } = await aCaller(app)
    return () => call('PUT', '/api/user/name', { name: 'Ada King' })
  },
  async settings({ app }) {
    const { call } = await aCaller(app)
    return () => call('PATCH', '/api/user/settings', { startPage: 'calendar' })
  },
  async provider({ app }) {
    await app.db.execute(sql`delete from users where email = 'nora.field@example.com'`)
    return async () => {
      const { response, problem } = await aBrowser(app).through('example', 'nora')
      return problem === undefined ? response : undefined
    }
  },
  async 'recovery-request'({ aMember, recover }) {
    const { email } = await aMember()
    return () => recover(email)
  },
  async 'recovery-confirm'({ aMember, post, recover, recoveryMail }) {
    const { email } = await aMember()
    await recover(email)
    const token = tokenIn((await recoveryMail(email)).mail.text)
    return () => post('/api/auth/recovery/confirm', { token, newPassword: `new ${password}` })
  },
  async role({ app }) {
    const [{ call }, { id }] = [await aCaller(app, 'admin'), await aUser(app.database)]
    return () => call('PUT', `/api/admin/users/${id}/roles/admin`)
  },
  async flag({ app }) {
    const { call } = await aCaller(app, 'admin')
    const { key } = (await call('POST', '/api/admin/flags', aFlag())).json()
    return () => call('POST', `/ofrep/v1/evaluate/flags/${key}`, { context: {} })
  },
  async key({ app }) {
    const { secret } = await aServiceKey(app.database, await aService(app.database))
    return () => keyCaller(app, secret).me()
  },
  async check({ app }) {
    const { call } = await aCaller(app)
    return () => call('GET', '/api/auth/check', undefined, { 'x-original-method': 'GET' })
  },
  /** Passes every hook of a change; `docs/understand/architecture.md` has them. */
  async 'user-creation'({ app }) {
    const { call } = await aCaller(app, 'admin')
    const user = { email: `${Date.now()}@example.com`, name: 'Ada', password }
    return () => call('POST', '/api/admin/users', user)
  },
  async 'user-list'({ app }) {
    const { call } = await aCaller(app, 'admin')
    return () => call('GET', '/api/admin/users')
  }
}
