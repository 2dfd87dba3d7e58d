import { useEffect } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { CurrentPassword, EmailField, Username } from '../shared/controls.tsx'
import { Action } from '../shared/form.tsx'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { here, leaveFor, takeLinked } from '../shared/providers.tsx'
import { options, readSession, user } from '../shared/session.ts'
import { Authenticator } from './authenticator.tsx'
import { NewPassword, SavingForm, SendLink, useStatus } from './parts.tsx'
import { Items, Row } from './items.tsx'
import { ApiKeys } from './keys.tsx'
import { Passkeys } from './passkeys.tsx'
import { RenewCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import { hasFactor, needsLink, SecondFactor } from './second-factor.tsx'

const load = () =>
  Promise.all([ok(portal.GET('/api/user/security')), ok(portal.GET('/api/user/email'))])

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

interface AddressProps {
  email: Schemas['Email']
  onChange(): Promise<unknown>
}

/** The address of the user. A new one is used once it is confirmed, if the portal sends mail. */
function Address({ email: { email, verified, pending }, onChange }: AddressProps) {
  const change = async ({ email = '' }) => {
    await ok(portal.PUT('/api/user/email', { body: { email } }))
    await onChange()
  }
  return (
    <section>
      <h2>{say('address')}</h2>
      <p>{say(verified ? 'address-verified' : 'address-unverified', { email })}</p>
      {pending !== null && <p>{say('address-pending', { email: pending })}</p>}
      {!verified && options.value?.passwordReset && (
        <SendLink
          label={say('send-verification')}
          kind="outline"
          send={() => ok(portal.POST('/api/user/email/verification'))}
        />
      )}
      <SavingForm action={say('change-address')} onSubmit={change}>
        <EmailField label={say('new-address')} autocomplete="email" />
      </SavingForm>
    </section>
  )
}

interface ChangePasswordProps {
  hasPassword: boolean
  onChange(): Promise<unknown>
}

function ChangePassword({ hasPassword, onChange }: ChangePasswordProps) {
  const change = async ({ currentPassword, newPassword = '' }: Record<string, string>) => {
    const body = { ...(currentPassword !== undefined && { currentPassword }), newPassword }
    await ok(portal.PUT('/api/user/password', { body }))
    await onChange()
  }
  return (
    <section>
      <h2>{say('change-password')}</h2>
      <p class="muted">{say(hasPassword ? 'change-password-text' : 'no-password')}</p>
      <SavingForm action={say('set-password')} onSubmit={change} done={say('password-changed')}>
        <Username email={user.value?.email ?? ''} />
        {hasPassword && <CurrentPassword label={say('current-password')} name="currentPassword" />}
        <NewPassword name="newPassword" label={say('new-password')} />
      </SavingForm>
    </section>
  )
}

/** All of them, which fit on one page. */
const loadProviders = async () => (await ok(portal.GET('/api/user/providers'))).items

const link = (key: string) => {
  const page = here()
  const query = `${page.includes('?') ? '&' : '?'}linked=${encodeURIComponent(key)}`
  return leaveFor(key, { intent: 'link', returnTo: page + query })
}

function Providers() {
  const loaded = useLoaded('providers', loadProviders)
  const reports = useStatus()
  const providers = options.value?.providers ?? []
  useEffect(() => {
    const linked = takeLinked()
    const name = providers.find(({ key }) => key === linked)?.name
    if (name !== undefined) reports.report(say('provider-linked', { name }))
  }, [])
  // A portal without providers looks as it did before.
  if (providers.length === 0 && !loaded.value?.length) return null
  const unlinked = providers.filter(
    ({ key }) => loaded.value && !loaded.value.some(({ provider }) => provider === key)
  )
  return (
    <Items
      kind="providers"
      from={loaded}
      reports={reports}
      onRemove={async ({ id }) => {
        await ok(portal.DELETE('/api/user/providers/{id}', { params: { path: { id } } }))
        await loaded.reload()
      }}
      row={({ id, name, email, createdAt, lastUsedAt }, unlink) => (
        <Row
          key={id}
          name={name}
          above={email}
          times={[
            ['provider-since', createdAt],
            ['last-used', lastUsedAt]
          ]}
          actions={unlink}
        />
      )}
    >
      <div class="actions">
        {unlinked.map(({ key, name }) => (
          <Action
            key={key}
            label={say('provider-link', { name })}
            kind="outline"
            onPress={() => link(key)}
          />
        ))}
      </div>
    </Items>
  )
}
