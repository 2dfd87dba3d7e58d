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
import { Items, Row, Setting } from './items.tsx'
import { ApiKeys } from './keys.tsx'
import { Cut, DialogForm, NewPassword, useStatus } from './parts.tsx'
import { Passkeys } from './passkeys.tsx'
import { RenewCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import { EnrolmentLink, hasFactor, needsLink, SecondFactor } from './second-factor.tsx'
import type { SecurityProps } from './second-factor.tsx'

const load = () =>
  Promise.all([ok(portal.GET('/api/user/security')), ok(portal.GET('/api/user/email'))])

export function useSecurity() {
  const loaded = useLoaded('security', load)
  // The change was saved, even if the view cannot be loaded again, which it reports itself.
  const onChange = () => Promise.all([loaded.reload(), readSession().catch(() => {})])
  return { loaded, onChange }
}

export function Security() {
  const { loaded, onChange } = useSecurity()
  return (
    <Page title={say('security')}>
      <Loaded from={loaded}>
        {([security, email]) => (
          <>
            <ul class="rows">
              <Password security={security} onChange={onChange} />
              <Address email={email} onChange={onChange} />
            </ul>
            <h2>{say('second-factor')}</h2>
            <p class="muted">
              {say('factor-text')} {!hasFactor(security) && say('factor-first')}
            </p>
            {needsLink(security) && <EnrolmentLink />}
            <ul class="rows">
              {(hasFactor(security) || security.requiredByRoles.length > 0) && (
                <SecondFactor security={security} onChange={onChange} />
              )}
              {!needsLink(security) && (
                <>
                  <Authenticator security={security} onChange={onChange} />
                  {options.value?.passkeys && <Passkeys security={security} onChange={onChange} />}
                </>
              )}
              {hasFactor(security) && <RenewCodes left={security.recoveryCodesLeft} />}
            </ul>
            <Others />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface AddressProps {
  email: Schemas['Email']
  onChange(): Promise<unknown>
  /** Whether an address that is not confirmed is rather confirmed than changed. */
  isHome?: boolean
}

/** The address of the user. A new one is used once it is confirmed, if the portal sends mail. */
export function Address({ email: { email, verified, pending }, onChange, isHome }: AddressProps) {
  const hasMail = options.value?.passwordReset
  const change = async (wanted = '') => {
    const set = await ok(portal.PUT('/api/user/email', { body: { email: wanted } }))
    await onChange()
    return set
  }
  const chip = (
    <span class={verified ? 'chip good' : 'chip warn'}>
      {say(verified ? 'confirmed' : 'unconfirmed')}
    </span>
  )
  // Without mail, nobody can confirm it.
  const own = <Cut text={email} />
  const state = pending === null ? own : [own, say('address-pending', { email: pending })]
  const row = { title: say('address'), chip: (verified || hasMail) && chip, state }
  const cancel = async () => {
    await change(email) // setting the present address again drops the pending one
    return say('change-cancelled', { email })
  }
  if (isHome && hasMail && !verified) {
    const confirm = async () => {
      await ok(portal.POST('/api/user/email/verification'))
      return say('link-sent', { email })
    }
    return <Setting {...row} button={say('confirm-now')} onPress={confirm} />
  }
  if (pending !== null) {
    return <Setting {...row} button={say('cancel-change')} onPress={cancel} />
  }
  return (
    <Setting
      {...row}
      button={say('change')}
      dialog={(close) => (
        <DialogForm
          title={say('change-address')}
          action={say('change-address')}
          onClose={close}
          onSubmit={async (fields) => {
            const set = await change(fields.email)
            return set.pending === null
              ? say('address-changed', { email: set.email })
              : say('link-sent', { email: set.pending })
          }}
        >
          <EmailField label={say('new-address')} autocomplete="email" />
        </DialogForm>
      )}
    />
  )
}

export function Password({ security: { hasPassword }, onChange }: SecurityProps) {
  const change = async ({ currentPassword, newPassword = '' }: Record<string, string>) => {
    const body = { ...(currentPassword !== undefined && { currentPassword }), newPassword }
    await ok(portal.PUT('/api/user/password', { body }))
    await onChange()
    return say('password-changed')
  }
  return (
    <Setting
      title={say('password')}
      state={say(hasPassword ? 'has-password' : 'no-password')}
      button={say(hasPassword ? 'change' : 'set-up')}
      dialog={(close) => (
        <DialogForm
          title={say(hasPassword ? 'change-password' : 'set-password')}
          action={say('set-password')}
          onClose={close}
          onSubmit={change}
        >
          <p class="muted">{say('change-password-text')}</p>
          <Username email={user.value?.email ?? ''} />
          {hasPassword && (
            <CurrentPassword label={say('current-password')} name="currentPassword" autofocus />
          )}
          <NewPassword name="newPassword" label={say('new-password')} />
        </DialogForm>
      )}
    />
  )
}

/** All of them, which fit on one page. */
const loadProviders = async () => (await ok(portal.GET('/api/user/providers'))).items

const link = (key: string) => {
  const page = here()
  const query = `${page.includes('?') ? '&' : '?'}linked=${encodeURIComponent(key)}`
  return leaveFor(key, { intent: 'link', returnTo: page + query })
}

/** Providers and API keys: a portal without them has no such rows. */
function Others() {
  const loaded = useLoaded('providers', loadProviders)
  const { status, report } = useStatus()
  const providers = options.value?.providers ?? []
  useEffect(() => {
    const linked = takeLinked()
    const name = providers.find(({ key }) => key === linked)?.name
    if (name !== undefined) report(say('provider-linked', { name }))
  }, [])
  const hasProviders = providers.length > 0 || !!loaded.value?.length
  const hasKeys = user.value?.permissions.includes('keys:create')
  if (!hasProviders && !hasKeys) return null
  const names = loaded.value?.map(({ name }) => name).join(', ')
  const unlinked = providers.filter(
    ({ key }) => loaded.value && !loaded.value.some(({ provider }) => provider === key)
  )
  return (
    <>
      <h2>{say('other-access')}</h2>
      {status}
      <ul class="rows">
        {hasProviders && (
          <Setting
            title={say('providers')}
            state={loaded.value ? names || say('providers-none') : '\u00a0'}
            button={say('manage')}
            dialog={(close) => (
              <Items
                kind="providers"
                from={loaded}
                onClose={close}
                onRemove={async ({ id }) => {
                  await ok(portal.DELETE('/api/user/providers/{id}', { params: { path: { id } } }))
                  await loaded.reload()
                }}
                row={({ id, name, email, createdAt, lastUsedAt }, unlink) => (
                  <Row
                    key={id}
                    name={name}
                    above={email}
                    times={{ 'provider-since': createdAt, 'last-used': lastUsedAt }}
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
            )}
          />
        )}
        {hasKeys && <ApiKeys />}
      </ul>
    </>
  )
}
