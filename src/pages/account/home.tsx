import { ok, portal } from '../shared/client.ts'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { options, user } from '../shared/session.ts'
import { Setting } from './items.tsx'
import { Cut } from './parts.tsx'
import { say } from './say.ts'
import { FactorChip, hasFactor } from './second-factor.tsx'
import { AddressChip, useSecurity } from './security.tsx'

/** Who the user is, and how safe the account is. */
export function Home() {
  const loaded = useSecurity()
  const sessions = useGet('/api/user/sessions', { query: { limit: 100 } })
  const { name = '', email = '', suspendedRoles = [] } = user.value ?? {}
  const count = sessions.value?.items.length
  return (
    <Page title={say('your-account')} about={<Cut text={say('signed-in-as', { email })} />}>
      {suspendedRoles.length > 0 && (
        <p>{say('suspended-roles', { roles: suspendedRoles.join(', ') })}</p>
      )}
      <Loaded from={loaded}>
        {([security, { email, verified, pending }]) => (
          <ul class="rows">
            <Setting
              title={say('name')}
              state={<Cut text={name} />}
              button={say('change')}
              href="/profile"
            />
            <Setting
              title={say('address')}
              // Without mail, nobody can confirm it.
              chip={(verified || options.value?.passwordReset) && <AddressChip {...{ verified }} />}
              state={
                <>
                  <Cut text={email} />
                  {pending && <> {say('address-pending', { email: pending })}</>}
                </>
              }
              {...(!verified && options.value?.passwordReset
                ? {
                    button: say('confirm-now'),
                    async onPress() {
                      await ok(portal.POST('/api/user/email/verification'))
                      return say('link-sent', { email })
                    }
                  }
                : { button: say('change'), href: '/security' })}
            />
            <Setting
              title={say('password')}
              state={say(security.hasPassword ? 'has-password' : 'no-password')}
              button={say(security.hasPassword ? 'change' : 'set-up')}
              href="/security"
            />
            <Setting
              title={say('second-factor')}
              chip={<FactorChip isOn={security.secondFactor} />}
              state={say(security.secondFactor ? 'password-and-factor' : 'password-alone')}
              button={say(hasFactor(security) ? 'manage' : 'set-up')}
              href="/security"
            />
            <Setting
              title={say('sessions')}
              state={
                count === undefined
                  ? ' '
                  : say(count === 1 ? 'sessions-one' : 'sessions-count', { count })
              }
              button={say('manage')}
              href="/sessions"
            />
          </ul>
        )}
      </Loaded>
    </Page>
  )
}
