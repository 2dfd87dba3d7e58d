import { ok, portal } from '../shared/client.ts'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { user } from '../shared/session.ts'
import { options, readSession } from '../shared/session-calls.ts'
import { Address } from './address.tsx'
import { Authenticator } from './authenticator.tsx'
import { ChangePassword } from './change-password.tsx'
import { hasFactor, needsLink } from './factors.ts'
import { ApiKeys } from './keys.tsx'
import { Passkeys } from './passkeys.tsx'
import { Providers } from './providers.tsx'
import { RenewCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import { SecondFactor } from './second-factor.tsx'

const load = () =>
  Promise.all([ok(portal.GET('/api/user/security')), ok(portal.GET('/api/user/email'))])

/** How the user signs in. */
export function Security() {
  const loaded = useLoaded('security', load)
  // The change was saved, even if the view cannot be loaded again, which it reports itself.
  const onChange = () => Promise.all([loaded.reload(), readSession().catch(() => {})])
  return (
    <Page title={say('security')}>
      <Loaded from={loaded}>
        {([security, email]) => (
          <>
            <ChangePassword hasPassword={security.hasPassword} onChange={onChange} />
            <Address email={email} onChange={onChange} />
            <SecondFactor security={security} onChange={onChange}>
              {!needsLink(security) && (
                <>
                  <Authenticator security={security} onChange={onChange} />
                  {options.value?.passkeys && <Passkeys onChange={onChange} />}
                </>
              )}
              {hasFactor(security) && <RenewCodes left={security.recoveryCodesLeft} />}
            </SecondFactor>
            <Providers />
            {user.value?.permissions.includes('keys:create') && <ApiKeys />}
          </>
        )}
      </Loaded>
    </Page>
  )
}
