import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aUser, password, ownApp, until } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { freePort } from '../support/postgres.ts'
import { anAppFor } from '../support/second-factors.ts'
import { checkCookies, makeCookiesStrict, startProviders } from './provider-portal.ts'
import { startFirefox, startWebKit } from './webdriver.ts'
import type { Send } from './webdriver.ts'

// Whether a browser sends a strict cookie after a provider of another site has led back is up to the
// browser. Chromium walks through all of this in providers.browser.ts.

const { apple, providersOf } = await startProviders(t)
const port = await freePort()
const base = `http://localhost:${port}`
const account = `${base}/account`
const app = await ownApp(t, {
  PUBLIC_ORIGIN: base,
  ACCOUNT_URL: account,
  APP_URL: account,
  providers: await providersOf(base)
})
makeCookiesStrict(app)
await app.listen({ host: '127.0.0.1', port })
t.teardown(() => app.server.closeAllConnections())

// Each links another person: an account at a provider belongs to one user.
for (const [name, start, linked] of [
  ['Firefox', startFirefox, 'Lea Stone'],
  ['WebKitGTK', startWebKit, 'Tom Rivers']
] as const) {
  t.test(name, async (t) => {
    const { send, visit, press, choose, write, shows } = personAt(await start(t))
    const cookies = async () => (await send('cookies')) as { name: string }[]
    const isIn = (email: string) => shows('Your account').then(() => shows(email))
    const posted = `posted-in-${name.toLowerCase()}@icloud.com`

    await t.test('the session is there at once after a provider of another site', async (t) => {
      await visit('/account/sign-in')
      await press('Continue with Acme')
      await choose('Nora Field')
      await isIn('nora.field@example.com')
      checkCookies(t, await cookies())
    })

    await t.test('a provider that posts its response signs in as well', async (t) => {
      apple.claims = { sub: name, email: posted, email_verified: 'true' }
      await visit('/account/sign-in')
      await press('Continue with Apple')
      await isIn(posted)
      checkCookies(t, await cookies())
    })

    await t.test('a second factor is asked for after the provider', async (t) => {
      const [user] = await app.db.select().from(users).where(eq(users.email, posted))
      if (!user) throw new Error('no user')
      const { code } = await anAppFor(app, user)
      await visit('/account/sign-in')
      await press('Continue with Apple')
      await shows('Confirm your sign-in')
      t.notOk((await cookies()).some((cookie) => cookie.name === 'portal_session'))
      await write('code', await code())
      await press('Continue')
      await isIn(posted)
      checkCookies(t, await cookies())
    })

    await t.test('two tabs sign in at the same time', async (t) => {
      await visit('/account/sign-in')
      const one = { handle: await send('tab') }
      const other = (await send('newTab', { type: 'tab' })) as typeof one
      const inEach = async (work: () => Promise<unknown>) => {
        for (const { handle } of [one, other]) {
          await send('toTab', { handle })
          await work()
        }
      }
      await inEach(() => send('open', { url: `${base}/account/sign-in` }))
      await inEach(() => press('Continue with Acme'))
      await inEach(() => choose('Nora Field'))
      await inEach(() => isIn('nora.field@example.com'))
      checkCookies(t, await cookies())
    })

    await t.test('a user links an account', async (t) => {
      const user = await confirmed(app.database, await aUser(app.database))
      await visit('/account/sign-in')
      await write('email', user.email)
      await write('password', password)
      await press('Sign in')
      await isIn(user.email)
      await send('open', { url: `${account}/security` })
      await press('Manage')
      await press('Link Acme')
      await choose(linked)
      await shows('The account at Acme is linked.')
      checkCookies(t, await cookies())
    })
  })
}

/** Somebody who uses a browser by the words on the page. */
function personAt(send: Send) {
  const find = (using: 'xpath' | 'css selector', value: string) =>
    until(async () => {
      const found = (await send('find', { using, value }).catch(() => undefined)) as
        | Record<string, string>
        | undefined
      return found && Object.values(found)[0]
    })
  /** Clicks, once it can be clicked: a dialog is in the document before it is shown. */
  const click = (xpath: string) =>
    until(async () => {
      const id = await find('xpath', xpath)
      return send('click', { id }).then(
        () => true,
        (error: unknown) => {
          if (!String(error).includes('not interactable')) throw error
        }
      )
    })
  return {
    send,
    /** Opens a page of the portal in which nobody is signed in. */
    async visit(at: string) {
      await send('open', { url: `${account}/not-found` })
      await send('clearCookies')
      await send('open', { url: base + at })
    },
    /** Presses the button with this label. */
    press: (label: string) =>
      click(`//button[not(@aria-disabled='true')][normalize-space()='${label}']`),
    /** On the page of the provider. */
    choose: (name: string) => click(`//button[contains(., '${name}')]`),
    /** Types into the field of this name, until the browser has taken all of it. */
    async write(name: string, text: string) {
      const field = `[name=${name}]`
      const read = `return document.querySelector(arguments[0]).value`
      await until(async () => {
        const id = await find('css selector', field)
        await send('clear', { id })
        await send('type', { id, text })
        return (await send('run', { script: read, args: [field] })) === text
      })
    },
    /** Waits until the page has these words. */
    async shows(words: string) {
      let text: unknown
      const read = { script: 'return document.body.innerText', args: [] }
      await until(async () => {
        text = await send('run', read).catch(String)
        return String(text).includes(words)
      }).catch(() => {
        throw new Error(`instead of "${words}", the page shows:\n${text}`)
      })
    }
  }
}
