import { readFileSync } from 'node:fs'

import t from 'tap'
import { aUser } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { anAppFor } from '../support/second-factors.ts'
import { isHeaded, open, press, shows, startAccount, writeCode } from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import type { Page } from 'playwright-core'

const { app, base, visitAs } = await startAccount(t)

/** A tab in which a user has just got recovery codes, and the codes. */
async function withCodes() {
  const user = await confirmed(app.database, await aUser(app.database))
  const phone = await anAppFor(app, user, { secondFactor: false })
  const page = await visitAs(user, '/account')
  await press(page, 'Security')
  await open(page, 'Recovery codes')
  await writeCode(page, phone.code)
  await press(page, 'Continue')
  await isHeaded(page, 'Recovery codes')
  return { user, page, codes: await codesOn(page) }
}
const codesOn = (page: Page) => page.locator('.codes code').allTextContents()
const isAsked = (page: Page) => shows(page, 'Leave without the codes?')
const isNotAsked = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' })

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
    await page.locator('.codes').waitFor({ state: 'detached' }) // also while it navigates
    const next = {
      'a link': 'Sessions',
      Back: 'Your account',
      'Sign out': 'Sign in to see your security settings'
    }[way]
    await isHeaded(page, next ?? '')
  })
}

t.test(
  'the browser asks before it reloads or closes the page, until the codes are stored',
  async (t) => {
    const { page, codes } = await withCodes()
    let asked = page.waitForEvent('dialog')
    // Reloading waits for the answer.
    await page.evaluate(() => {
      setTimeout(() => location.reload())
    })
    await (await asked).dismiss()
    t.same(await codesOn(page), codes)
    asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    await (await asked).dismiss()
    t.same(await codesOn(page), codes)

    await press(page, 'I have stored these codes')
    await isHeaded(page, 'Security')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.type())
      return dialog.accept()
    })
    await page.reload()
    t.same(questions, [], 'no question')
  }
)

t.test('recovery codes are downloaded as a file that names the account', async (t) => {
  const { page, user, codes } = await withCodes()
  const begun = page.waitForEvent('download')
  await press(page, 'Download')
  const download = await begun
  t.equal(download.suggestedFilename(), 'recovery-codes.txt')
  t.equal(
    readFileSync(await download.path(), 'utf8'),
    `portal, ${user.email}\n\n${codes.join('\n')}\n`
  )
  await press(page, 'I have stored these codes')
  await shows(page, 'Recovery codes left: 10.')
  await press(page, 'Sessions')
  await isHeaded(page, 'Sessions')
  await isNotAsked(page)
  t.equal(await page.evaluate(() => location.href), `${base}/account/sessions`)
})
