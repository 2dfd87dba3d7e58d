import type { Test } from 'tap'
import type { Config } from '../../src/config/config.ts'
import { ownApp } from '../support/app.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'

/** A portal with one provider, whose users it lets link accounts. */
export async function aPortal(t: Test, config: Partial<Config> = {}) {
  const acme = await startOidcProvider(t, { keys: ['acme'] })
  const app = await ownApp(t, {
    ...config,
    providers: [configured.oidc(acme, { trustsEmail: 'claim' })]
  })
  const caller = async () => {
    const { user, cookie, call } = await aConfirmedCaller(app)
    return { user, call, browser: aBrowser(app, cookie) }
  }
  return { acme, app, caller }
}

/** A way through the provider that links an account. */
export const link = { intent: 'link', returnTo: '/linked' } as const
