import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { tokens } from '../../db/schema/tokens.ts'
import { mailsOf } from '../support/mails.ts'
import type { MailKind } from '../support/mails.ts'
import { startAccount } from './account-pages.ts'

export const linksIn = (text: string) => [...text.matchAll(/http:\S+/g)].map(([link]) => link)

/** A portal where users confirm their addresses, its account pages, and its mails. */
export async function startAccountWithMail(t: Test) {
  const account = await startAccount(t, { EMAIL_VERIFICATION: 'required' })
  const { db } = account.app
  const mails = mailsOf(account.app)
  return {
    ...account,
    mails,
    /**
     * Opens the link of the newest mail of a kind. It uses nothing up, and the address forgets it.
     */
    async follow(t: Test, page: Page, email: string, kind: MailKind) {
      const [link = ''] = linksIn((await mails.newest(email, kind)).text)
      const unused = await db.select().from(tokens).orderBy(tokens.createdAt)
      await page.goto(link)
      await page.locator('h1').waitFor()
      t.equal(await page.evaluate(() => location.search), '', 'the token is not in the address')
      t.same(await db.select().from(tokens).orderBy(tokens.createdAt), unused, 'it is not used up')
      return page
    }
  }
}
