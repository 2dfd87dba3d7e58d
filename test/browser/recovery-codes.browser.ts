import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { aUser, temporaryFolder, until } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { anAppFor } from '../support/second-factors.ts'
import { isHeaded, press, shows, startAccount, write } from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import type { Page } from 'playwright-core'

const { app, base, visitAs } = await startAccount(t)

/** A tab in which a user has just got recovery codes, and the codes. */
async function withCodes() {
  const user = await confirmed(app.database, await aUser(app.database))
  const phone = await anAppFor(app, user, { secondFactor: false })
  const page = await visitAs(user, '/account')
  await press(page, 'Security')
  await press(page, 'Create new recovery codes')
  await write(page, 'Code from your authenticator app', await phone.code())
  await press(page, 'Continue')
  await isHeaded(page, 'Recovery codes')
  return { user, page, codes: await codesOn(page) }
}
const codesOn = (page: Page) =>
  page.evaluate<string[]>("[...document.querySelectorAll('.codes code')].map((c) => c.textContent)")
const isAsked = (page: Page) => shows(page, 'Leave without the codes?')
const isNotAsked = (page: Page) =>
  page.locator('dialog').waitFor({ state: 'detached' })

const ways: Record<string, (page: Page) => Promise<unknown>> = {
  'a link': (page) => press(page, 'Sessions'),
  Back: (page) => page.evaluate(() => history.back()),
  'Sign out': (page) => press(page, 'Sign out')
}
for (const [way, leave] of Object.entries(ways)) {
  t.test(`${way} does not lose recovery codes without a question`, async (t) => {
    const { page, codes } = await withCodes()
    t.equal(codes.length, 10)
    await leave(page)
    await isAsked(page)
    if (way === 'a link') await checkAccessibility(t, page, 'leaving recovery codes')
    await press(page, 'Back to the codes')
    await isNotAsked(page)
    t.same(await codesOn(page), codes)
    t.equal(await page.evaluate(() => location.pathname), '/account/security')
    await leave(page)
    await isAsked(page)
    await press(page, 'Leave without them')
    await until(async () => (await codesOn(page)).length === 0)
    const next = { 'a link': 'Sessions', Back: 'portal', 'Sign out': 'Sign in to portal' }[way]
    await isHeaded(page, next ?? '')
  })
}

/** Answers the question of the browser whether to leave the page. False if there is none. */
const answer = (page: Page, accept: boolean) =>
  page.command('Page.handleJavaScriptDialog', { accept }).then(
    () => true,
    () => false
  )

t.test(
  'the browser asks before it reloads or closes the page, until the codes are stored',
  async (t) => {
    const { page, codes } = await withCodes()
    await page.command('Page.enable') // else there are no questions
    await page.evaluate('window.isOld = true')
    const reload = () => {
      page.evaluate('location.reload()').catch(() => {}) // its answer waits for that to the question
    }
    reload()
    await until(() => answer(page, false))
    t.same(await codesOn(page), codes)
    await page.command('Page.close')
    await until(() => answer(page, false))
    t.same(await codesOn(page), codes)

    await press(page, 'I have stored these codes')
    await isHeaded(page, 'Security')
    reload()
    await until(async () => {
      t.notOk(await answer(page, true), 'no question')
      return page.evaluate('window.isOld !== true')
    })
  }
)

t.test('recovery codes are downloaded as a file that names the account', async (t) => {
  const { page, user, codes } = await withCodes()
  const folder = temporaryFolder(t)
  await page.command('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
  await press(page, 'Download')
  const file = path.join(folder, 'recovery-codes.txt')
  let text = ''
  await until(() => {
    try {
      text = readFileSync(file, 'utf8')
    } catch {}
    return text !== ''
  })
  t.equal(text, `portal, ${user.email}\n\n${codes.join('\n')}\n`)
  await press(page, 'I have stored these codes')
  await shows(page, 'Recovery codes left: 10.')
  await press(page, 'Sessions')
  await isHeaded(page, 'Sessions')
  await isNotAsked(page)
  t.equal(await page.evaluate(() => location.href), `${base}/account/sessions`)
})
