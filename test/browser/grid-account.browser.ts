import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import type { Config } from '../../src/config/config.ts'
import { aUser } from '../support/app.ts'
import { anInvitation, linkFor } from '../support/mail-links.ts'
import type { LinkPurpose } from '../support/mail-links.ts'
import { confirmed } from '../support/mails.ts'
import { enrol, forgetCodes } from '../support/second-factors.ts'
import { signIn, startAccount } from './account-pages.ts'
import { prefer } from './chromium.ts'
import { fillSettings, fillWith, kinds, providersOf, schemasOf } from './grid-data.ts'
import type { Kind } from './grid-data.ts'
import { checkLook, pathsOf } from './grid.ts'
import { longAddress } from './hostile-texts.ts'

// Every account page, before the sign-in and after it, with the link of a mail and without one.

const settings: Record<Kind, Partial<Config>> = {
  empty: {},
  real: {
    PRODUCT_NAME: 'Kontor & Söhne',
    APP_URL: 'https://app.example.com/',
    providers: providersOf('real'),
    settingsSchemas: schemasOf('real')
  },
  hostile: {
    PRODUCT_NAME: 'W'.repeat(40),
    APP_URL: 'https://app.example.com/',
    providers: providersOf('hostile'),
    settingsSchemas: schemasOf('hostile')
  }
}
/** German has the longer words. */
const language: Record<Kind, string> = { empty: 'en', real: 'en', hostile: 'de' }
/** The purpose of the link that leads to a view. */
const purposes: Record<string, LinkPurpose> = {
  '/confirm': 'confirm',
  '/confirm-email': 'email-change',
  '/reset': 'password-reset',
  '/restore': 'restore',
  '/revert': 'email-revert',
  '/revert-factors': 'factor-revert',
  '/end-keys': 'key-revocation',
  '/enrol': 'factor-enrolment',
  '/invitation': 'invitation'
}
const nameOf = (path: string) => path.slice(1) || 'home'

for (const kind of kinds) {
  t.test(`nothing of the account pages is cut, ${kind} data`, async (t) => {
    const { app, base, visit } = await startAccount(t, settings[kind])
    const { user, names, call, cookie } = await fillWith(kind, app)
    await confirmed(app.database, user)
    await fillSettings(kind, app, user.id)
    const page = await visit('/account/sign-in')
    await prefer(page, language[kind])
    const check = async (name: string) => checkLook(t, page, `account-${name}-${kind}`)
    async function open(path: string, pair: string | undefined) {
      await page.context().clearCookies()
      const [name = '', value = ''] = pair?.split('=') ?? []
      if (pair) await page.context().addCookies([{ url: base, name, value }])
      await page.goto(base + path)
    }

    const leaving = await aUser(
      app.database,
      kind === 'hostile' ? longAddress('leaving') : 'leaving@example.com'
    )
    const deleteAt = new Date(Date.now() + 14 * 86_400_000)
    await app.db
      .update(users)
      .set({ status: 'deactivated', deleteAt })
      .where(eq(users.id, leaving.id))
    const next = kind === 'hostile' ? longAddress('next') : 'next@example.com'
    async function linkTo(path: string) {
      const purpose = purposes[path]
      if (!purpose) return 'of-no-mail'
      if (purpose === 'invitation') return (await anInvitation(app, user.email, names.scope)).token
      const owner = purpose === 'restore' ? leaving : user
      return linkFor(app, purpose, owner, purpose === 'email-change' ? next : owner.email)
    }
    for (const path of [...pathsOf('account'), '/not-there']) {
      await open(`/account${path}`, undefined)
      await check(`out-${nameOf(path)}`)
      if (!(path in purposes)) continue
      await open(`/account${path}?token=${await linkTo(path)}`, undefined)
      await check(`out-${nameOf(path)}-link`)
      await open(`/account${path}?token=of-no-mail`, undefined)
      await check(`out-${nameOf(path)}-dead`)
    }
    const own = kind === 'empty' ? cookie : (await enrol(app, call)).cookie
    for (const path of pathsOf('account')) {
      // These send a signed-in user on.
      if (path === '/sign-in' || path === '/register') continue
      await open(`/account${path}?token=${await linkTo(path)}`, own)
      await check(`in-${nameOf(path)}`)
    }
    if (kind === 'empty') return

    await open('/account/sign-in', undefined)
    await forgetCodes(app.db, user.id)
    await signIn(page, user.email)
    await page.locator('[name=code]').waitFor()
    await check('second-step')
    await open('/account/security', own)
    await page.getByRole('button', { name: /: Authenticator[ -]app$/i }).click()
    await page.getByRole('button', { name: /^(Replace the app|App ersetzen)$/ }).click()
    await page.locator('.qr').waitFor()
    await check('set-up')
  })
}
