import { eq } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import t from 'tap'
import type { Test } from 'tap'
import { aRole, aUser, operator, password, ownApp, until } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { startMailServer } from '../mail/server.ts'
import { freePort } from '../support/postgres.ts'
import { startNginx } from '../proxies/proxies.ts'
import { confirmed } from '../support/mails.ts'
import { anAppFor, letProofsAge } from '../support/second-factors.ts'
import { startChromium } from './chromium.ts'
import { installExample, npm, runNightly, startExample, startService } from './example-app.ts'
import { appLink, codeOf, fill, follow, shows, text, walk } from './example-walk.ts'

// Chromium walks through examples/app as docs/start/tutorial.md describes it.

const folder = installExample(t)
const chromium = await startChromium(t)

t.test('a user walks through the app in development', async (t) => {
  const { origin, portal, password: secret } = await startExample(t, folder)
  await walk(t, chromium, {
    origin,
    async confirmationLink(page, email) {
      await until(async () => {
        await page.goto(`${origin}/mail`)
        return (await text(page, 'body')).includes(email)
      })
      await page.click('.list a')
      await page.locator('pre').waitFor()
      return /http:\S+\/confirm\?token=\S+/.exec(await text(page, 'pre'))?.[0] ?? ''
    },
    async grantAccountant(email) {
      const login = await fetch(`${portal}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@portal.localhost', password: secret })
      })
      const cookie = login.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      const found = await fetch(`${portal}/api/admin/users?q=${email}`, { headers: { cookie } })
      const { items } = (await found.json()) as { items: { id: string }[] }
      const url = `${portal}/api/admin/users/${items[0]?.id}/roles/accountant`
      t.equal((await fetch(url, { method: 'PUT', headers: { cookie } })).status, 204)
    }
  })
  t.equal(runNightly(folder, origin), '2 invoices, read as the service reporting\n')
})

/** The built app behind nginx, with a portal in production mode. */
async function startBuilt(t: Test) {
  npm(folder, 'run', 'build')
  const portal = await freePort()
  const service = await startService(t, folder)
  const { port } = await startNginx(
    t,
    { portals: [portal, portal], service },
    { 'root /srv/app;': `root ${folder}/dist;` }
  )
  const origin = `http://localhost:${port}`
  const mailServer = await startMailServer(t)
  const app = await ownApp(t, {
    development: false,
    PUBLIC_ORIGIN: origin,
    TRUST_PROXY: ['127.0.0.1'],
    EMAIL_VERIFICATION: 'required',
    MAIL_URL: mailServer.url,
    MAIL_FROM: 'portal@example.com',
    ACCOUNT_URL: `${origin}/account`
  })
  await app.listen({ host: '127.0.0.1', port: portal })
  await createPermission(app.db, operator, { key: 'invoices:read' })
  return { app, origin, mails: mailServer.mails, service }
}

const built = await startBuilt(t)

t.test('a user walks through the built app behind nginx in production mode', async (t) => {
  const { app, origin, mails, service } = built
  const accountant = await aRole(app.database, 'invoices:read')
  await createFlag(app.db, operator, {
    key: 'new-greeting',
    ...onOrOff,
    rules: [{ when: { rolesAny: [accountant] }, serve: { variant: 'on' } }]
  })
  await walk(t, chromium, {
    origin,
    async confirmationLink(_page, email) {
      const { mail } = await until(() => mails.find(({ to }) => to.includes(email)))
      return /http:\S+\/confirm\?token=\S+/.exec(mail.text ?? '')?.[0] ?? ''
    },
    async grantAccountant(email) {
      const [user] = await app.db.select().from(users).where(eq(users.email, email))
      await grantRole(app.db, operator, { userId: user?.id ?? '', role: accountant })
    }
  })
  const direct = await fetch(`http://127.0.0.1:${service}/api/invoices`)
  t.equal(direct.status, 503, 'the service answers only what the proxy has checked')
})

t.test('links in mails to the sign-in and to security lead to pages of the app', async (t) => {
  const { app, origin } = built
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await chromium.open(`${origin}/account/sign-in`)
  await fill(page, '#password-form', { email: user.email, password })
  await shows(page, 'Hello, Ada Lovelace')
  await page.goto(`${origin}/account/security`)
  await shows(page, 'You sign in with your password alone.')
  t.equal(await text(page, 'h1'), 'Security')
})

t.test('a change that needs a recent proof asks for it, and is then repeated', async (t) => {
  const { app, origin } = built
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await chromium.open(`${origin}/sign-in`)
  await fill(page, '#password-form', { email: user.email, password })
  await shows(page, 'Hello, Ada Lovelace')
  await letProofsAge(app, user)
  await follow(page, '/security')

  await page.click('#begin-form button')
  await page.click('#proof [name=cancel]')
  await shows(page, /\w/, '#begin-form output')
  t.equal(await page.isHidden('#app-form'), true, 'cancelled')

  await page.click('#begin-form button')
  await page.fill('#proof [name=password]', 'not this password')
  await page.click('#proof button')
  await shows(page, /\w/, '#proof output')
  await page.fill('#proof [name=password]', password)
  await page.click('#proof button')
  const uri = await appLink(page)
  await fill(page, '#app-form', { code: codeOf(uri) })
  await shows(page, '10 recovery codes are left')

  const codes = await text(page, '#recovery ul')
  await letProofsAge(app, user)
  await page.click('#renew-form button')
  await page.fill('#proof [name=code]', codeOf(uri, 1))
  await page.click('#proof button')
  await until(async () => (await text(page, '#recovery ul')) !== codes)
  t.equal(await page.isVisible('#proof'), false)
})

t.test('a user with an app may prove it with the password where it is enough', async (t) => {
  const { app, origin } = built
  const user = await confirmed(app.database, await aUser(app.database))
  await anAppFor(app, user, { secondFactor: false })
  const page = await chromium.open(`${origin}/sign-in`)
  await page.context().clearCookies()
  await page.goto(`${origin}/sign-in`)
  await fill(page, '#password-form', { email: user.email, password })
  await shows(page, 'Hello, Ada Lovelace')
  await letProofsAge(app, user)
  await follow(page, '/security')
  await page.click('#begin-form button')
  await page.fill('#proof [name=password]', password)
  await page.click('#proof button')
  await appLink(page)
  t.equal(await page.isVisible('#proof'), false)
})
