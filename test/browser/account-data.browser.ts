import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aUser, callerOf, password, until } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { letProofsAge } from '../support/second-factors.ts'
import {
  field,
  isAt,
  isHeaded,
  isHomeOf,
  isReported,
  press,
  rejectReads,
  shows,
  signIn,
  startAccount,
  write
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import { hold, prefer } from './chromium.ts'
import type { Page } from 'playwright-core'

const { app, base, visit, visitAs } = await startAccount(t)
const hostile = '<img src=x onerror="alert(1)">'
const valueOf = (page: Page, name: string) => page.inputValue(`[name=${name}]`)

t.test('a user ends one session, then all others', async (t) => {
  const user = await aUser(app.database, 'grace@example.com')
  const others = [
    await callerOf(app, user),
    await callerOf(app, user),
    await callerOf(app, user)
  ] as const
  const page = await visitAs(user, '/account/sessions')
  await isHeaded(page, 'Sessions')
  await shows(page, 'This browser')
  const rows = () => page.locator('.rows > li').count()
  await until(async () => (await rows()) === 4)
  t.match(
    await page.textContent('.rows > li'),
    /^\w+ on Linux This browserLast used just now, signed in just now127\.0\.0\.1$/,
    'it is the first one'
  )
  await checkAccessibility(t, page, 'sessions')
  const alive = async () =>
    (await Promise.all(others.map(({ call }) => call('GET', '/api/auth/me')))).filter(
      ({ statusCode }) => statusCode === 200
    ).length
  await press(page, 'End session')
  await until(async () => (await rows()) === 3)
  await isReported(page, 'The session has ended.')
  t.equal(await alive(), 2)
  await press(page, 'End all other sessions')
  await shows(page, 'There are no other sessions.')
  await isReported(page, 'All other sessions have ended.')
  t.equal(await alive(), 0)
  await page.goto(`${base}/account`)
  await isHomeOf(page, user.email)
})

t.test('a user changes name, theme and profile, which stay text', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/profile')
  await isHeaded(page, 'Profile')
  await page.locator('[name=bio]').waitFor()
  await write(page, 'Name', '')
  await press(page, 'Save')
  await page.locator('[name=name][aria-invalid=true]:focus').waitFor()
  await write(page, 'Name', hostile)
  await page.selectOption('[name=theme]', 'dark')
  await page.selectOption('[name=timeZone]', 'Europe/Vienna')
  await page.fill('[name=bio]', hostile)
  await write(page, 'Website', 'http://example.com')
  await press(page, 'Save')
  await page.locator('[name=website][aria-invalid=true]:focus').waitFor()
  t.equal(await page.locator('.problem').count(), 0, 'the mistake is told at its field alone')
  t.equal(await valueOf(page, 'bio'), hostile, 'it is kept')
  await checkAccessibility(t, page, 'profile, with a mistake')
  await write(page, 'Website', 'https://example.com')
  await press(page, 'Save')
  await isReported(page, 'Saved.')
  const [stored] = await app.db.select().from(users).where(eq(users.id, user.id))
  t.match(stored, { name: hostile, theme: 'dark', bio: hostile, timeZone: 'Europe/Vienna' })
  await page.goto(`${base}/account/profile`)
  await page.locator('[name=bio]').waitFor()
  t.same(
    [await valueOf(page, 'name'), await valueOf(page, 'theme'), await valueOf(page, 'bio')],
    [hostile, 'dark', hostile]
  )
  t.equal(await valueOf(page, 'timeZone'), 'Europe/Vienna')
  await checkAccessibility(t, page, 'profile')
  await page.goto(`${base}/account/data`)
  await shows(page, 'The account was changed')
  await checkAccessibility(t, page, 'data')
})

t.test('input during a save is kept', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/profile')
  await page.locator('[name=bio]').waitFor()
  await write(page, 'Location', 'London')
  await page.selectOption('[name=locale]', 'de')
  const release = await hold(page, '**/api/user/profile')
  await press(page, 'Save')
  await page.locator('[type=submit][aria-busy=true]').waitFor()
  await page.selectOption('[name=locale]', 'en')
  await write(page, 'Location', 'Turin')
  release()
  await shows(page, 'Saved.')
  t.same([await valueOf(page, 'location'), await valueOf(page, 'locale')], ['Turin', 'en'])
  t.equal(
    await page.getAttribute(':focus', 'name'),
    'location',
    'the next key goes where the user types'
  )
  await press(page, 'Save')
  await until(async () => {
    const [stored] = await app.db.select().from(users).where(eq(users.id, user.id))
    return stored?.location === 'Turin' && stored.locale === 'en'
  })
})

t.test('a saved profile is shown although it cannot be read again', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/profile')
  await page.locator('[name=bio]').waitFor()
  await rejectReads(page)
  await write(page, 'Location', ' London ')
  await press(page, 'Save')
  await shows(page, 'Saved.')
  t.equal(await valueOf(page, 'location'), 'London')
  t.equal(await page.locator('[role=alert]').count(), 0)
})

t.test('language and theme are those of the pages at once, and at the next load', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/profile')
  await page.locator('[name=bio]').waitFor()
  const look = () =>
    page.evaluate(() => ({
      ...document.documentElement.dataset,
      lang: document.documentElement.lang
    }))
  t.same(await look(), { lang: 'en' })
  await page.selectOption('[name=theme]', 'dark')
  await page.selectOption('[name=locale]', 'de')
  await press(page, 'Save')
  await isHeaded(page, 'Profil')
  await until(async () => 'theme' in (await look()))
  t.same(await look(), { theme: 'dark', lang: 'de' })
  await checkAccessibility(t, page, 'profile, in another language')
  await page.goto(`${base}/account/sessions`)
  await isHeaded(page, 'Sitzungen')
  t.same(await look(), { theme: 'dark', lang: 'de' })

  await page.evaluate(() => localStorage.clear()) // as in another browser
  await page.goto(`${base}/account/profile`)
  await isHeaded(page, 'Profil')
  await page.locator('[name=bio]').waitFor()
  await page.selectOption('[name=theme]', 'system')
  await page.selectOption('[name=locale]', '')
  await press(page, 'Speichern')
  await isHeaded(page, 'Profile')
  await until(async () => !('theme' in (await look())))
  t.same(await look(), { lang: 'en' })
})

t.test('the time zone of the browser is the first one to choose', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/profile')
  await page.locator('[name=bio]').waitFor()
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  await field(page, 'Time zone').selectOption({ label: `That of this browser: ${zone}` })
  await press(page, 'Save')
  await isReported(page, 'Saved.')
  const [stored] = await app.db.select().from(users).where(eq(users.id, user.id))
  t.equal(stored?.timeZone, zone)
})

t.test('the last page of the activity is announced', async () => {
  const user = await aUser(app.database)
  const { call } = await callerOf(app, user)
  for (const name of Array.from({ length: 11 }, (_, n) => `Ada ${n}`)) {
    await call('PUT', '/api/user/name', { name })
  }
  const page = await visitAs(user, '/account/data')
  await press(page, 'Show more')
  await isReported(page, 'This is all of your activity.')
})

t.test('a user downloads a copy of the data', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/data')
  await isHeaded(page, 'Your data')
  await letProofsAge(app, user)
  const download = page.waitForEvent('download')
  await press(page, 'Download')
  await page.fill('dialog [name=password]', password)
  await press(page, 'Continue')
  const copy = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as {
    account: { email: string }
    activity: { action: string }[]
    sessions: unknown[]
  }
  t.equal(copy.account.email, user.email)
  t.ok(copy.activity.some(({ action }) => action === 'auth.login'))
  t.equal(copy.sessions.length, 1)
})

t.test('a user deletes the account', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await visitAs(user, '/account/data')
  await isHeaded(page, 'Your data')
  await press(page, 'Delete your account')
  await isHeaded(page, 'Delete your account')
  await checkAccessibility(t, page, 'delete')
  await press(page, 'Cancel')
  await isAt(page, '/account/data')
  await press(page, 'Delete your account')
  await page.fill('[name=email]', 'other@example.com')
  await press(page, 'Delete your account')
  await shows(page, 'This is not the address of your account.')
  await letProofsAge(app, user)
  await page.fill('[name=email]', user.email)
  await press(page, 'Delete your account')
  await page.locator('dialog [name=password]').waitFor()
  await write(page, 'Password', 'correct horse battery')
  await press(page, 'Continue')
  await isAt(page, '/account/deleted')
  await isHeaded(page, 'Your account is deleted')
  await shows(page, 'You are signed out everywhere.')
  t.same(await app.db.select().from(users).where(eq(users.id, user.id)), [])
})

t.test('the pages are in German for readers of German', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await visit('/account/not-found')
  await prefer(page, 'de-AT')
  for (const [path, heading] of [
    ['register', 'Konto bei portal anlegen'],
    ['forgot', 'Passwort vergessen'],
    ['reset?token=unknown', 'Dieser Link funktioniert nicht']
  ] as const) {
    await page.goto(`${base}/account/${path}`)
    await isHeaded(page, heading)
    await checkAccessibility(t, page, `German, ${path.split('?')[0]}`)
  }
  await shows(page, 'Er wurde schon verwendet, ist abgelaufen')
  await page.goto(`${base}/account/register`)
  await write(page, 'Name', 'Ada')
  await write(page, 'E-Mail-Adresse', 'ada@example.com')
  await write(page, 'Passwort', 'password')
  await press(page, 'Konto anlegen')
  await shows(page, 'Dieses Passwort ist leicht zu erraten.')

  await page.goto(`${base}/account/security`)
  await signIn(page, user.email)
  await isHeaded(page, 'Sicherheit')
  for (const [path, heading] of [
    ['', 'Ihr Konto'],
    ['/security', 'Sicherheit'],
    ['/sessions', 'Sitzungen'],
    ['/profile', 'Profil'],
    ['/data', 'Ihre Daten'],
    ['/delete', 'Konto löschen'],
    ['/enrol', 'Zweiten Faktor einrichten']
  ] as const) {
    await page.goto(`${base}/account${path}`)
    await isHeaded(page, heading)
    await checkAccessibility(t, page, `German, account${path.replace('/', '-')}`)
  }
})
