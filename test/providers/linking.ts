import type { Test } from 'tap'
import type { Config } from '../../src/config/config.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'

/** A portal with one provider, whose users it lets link accounts. */
export async function aPortal(t: Test, config: Partial<Config> = {}) {
  const { app, acme } = await portalOf(t, { acme: { trustsEmail: 'claim' } }, config)
  const caller = async () => {
    const { user, cookie, call } = await aConfirmedCaller(app)
    return { user, call, browser: aBrowser(app, cookie) }
  }
  return { acme, app, caller }
}

/** A way through the provider that links an account. */
export const link = { intent: 'link', returnTo: '/linked' } as const
