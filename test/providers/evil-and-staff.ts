import { eq } from 'drizzle-orm'
import type { Test } from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { aUser } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'

/** Nora's address, which both providers may name. */
export const email = 'nora.field@example.com'

/** A portal with two providers: `evil` may say what it wants; `staff` speaks for example.com. */
export async function evilAndStaff(
  t: Test,
  changes: Partial<Provider> = {},
  ofStaff: Partial<Provider> = {}
) {
  const { evil, staff, app } = await portalOf(t, {
    evil: { name: 'Evil', ...changes },
    staff: { domains: ['example.com'], trustsEmail: 'domains', ...ofStaff }
  })
  let addresses = 0
  /** Signs somebody in, in a browser and at an address of their own. */
  const signIn = async (key: 'evil' | 'staff', more: object = {}, browser = aBrowser(app)) => {
    const ip = `192.0.2.${++addresses}`
    const { problem } = await browser.through(key, 'nora', { ip, ...more })
    const me = await browser.me()
    return { browser, problem, me, id: me?.user.id }
  }
  return {
    evil,
    staff,
    app,
    signIn,
    accountsOf: (userId: string) =>
      app.db.$count(providerAccounts, eq(providerAccounts.userId, userId)),
    /** A user whose address is Nora's, or another one. */
    user: async (address = email) => confirmed(app.database, await aUser(app.database, address))
  }
}
