import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { options, user } from '../shared/session.ts'
import { MailLink } from './mail-links.tsx'
import { token } from './links.tsx'
import { Row } from './items.tsx'
import { ConfirmedAction, NameField, NewPassword, useStatus } from './parts.tsx'
import { say } from './say.ts'

/** The scopes in which the user has roles, each of which can be given up. */
export function Memberships() {
  const loaded = useGet('/api/user/scopes')
  const { status, report } = useStatus()
  const leave = (scope: string, roles: string[]) => async () => {
    const id = user.value?.id ?? ''
    for (const role of roles) {
      const params = { path: { scope, id, role } }
      await ok(portal.DELETE('/api/scopes/{scope}/members/{id}/roles/{role}', { params }))
    }
    await loaded.reload()
    report(say('left', { scope }))
  }
  return (
    <Page
      title={say('memberships')}
      about={say('memberships-about', { product: settings.product })}
    >
      <Loaded from={loaded}>
        {({ items }) => (
          <>
            {items.length === 0 && <p>{say('memberships-none')}</p>}
            {status}
            <ul class="rows">
              {items.map(({ scope, roles }) => (
                <Row
                  key={scope}
                  name={scope}
                  above={roles.join(', ')}
                  actions={
                    <ConfirmedAction
                      label={say('leave')}
                      title={say('leave-title', { scope })}
                      text={say('leave-text')}
                      onConfirm={leave(scope, roles)}
                    />
                  }
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Accepts an invitation with the link in its mail: with the account, or with a new one. */
export function Invitation() {
  const [isNew, setNew] = useState(false)
  const isRegistering = isNew && !user.value
  const accept = () => ok(portal.POST('/api/auth/invitation', { body: { token } }))
  const register = async ({ name = '', password = '' }) => {
    const body = { token, name, password }
    await ok(portal.POST('/api/auth/invitation/register', { body }))
    location.assign(settings.returnTo ?? '/')
  }
  return (
    <MailLink
      purpose="invitation"
      title="invitation"
      text="invitation-text"
      again="invitation-again"
      action={isRegistering ? 'register' : 'accept'}
      needsOwner={!isRegistering}
      send={isRegistering ? register : accept}
      done={['invitation-done', 'invitation-done-text']}
      fields={
        isRegistering && (
          <>
            <NameField autofocus />
            <NewPassword name="password" label={say('password')} />
          </>
        )
      }
    >
      {!user.value && !isNew && options.value?.registration === 'open' && (
        <ul class="links">
          <li>
            {say('no-account')}{' '}
            <Action label={say('to-register')} kind="plain" onPress={() => setNew(true)} />
          </li>
        </ul>
      )}
    </MailLink>
  )
}
