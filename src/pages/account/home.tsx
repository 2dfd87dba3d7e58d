import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { user } from '../shared/session.ts'
import { Setting } from './items.tsx'
import { Cut } from './parts.tsx'
import { say } from './say.ts'
import { FactorChip, hasFactor } from './second-factor.tsx'
import { Address, Password, useSecurity } from './security.tsx'

/** Who the user is, and how safe the account is. */
export function Home() {
  const { loaded, onChange } = useSecurity()
  const sessions = useGet('/api/user/sessions', { query: { limit: 100 } })
  const { name = '', suspendedRoles = [] } = user.value ?? {}
  const count = sessions.value?.items.length
  const onPasswordChange = () => Promise.all([onChange(), sessions.reload()])
  return (
    <Page title={say('your-account')}>
      {suspendedRoles.length > 0 && (
        <p>{say('suspended-roles', { roles: suspendedRoles.join(', ') })}</p>
      )}
      <Loaded from={loaded}>
        {([security, email]) => (
          <ul class="rows">
            <Setting
              title={say('name')}
              state={<Cut text={name} />}
              button={say('change')}
              href="/profile"
            />
            <Address email={email} onChange={onChange} isHome />
            <Password security={security} onChange={onPasswordChange} />
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
