import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ok, portal, RejectedCall } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { CurrentPassword } from '../shared/controls.tsx'
import { Form, OneAction } from '../shared/form.tsx'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { ProblemNotice } from '../shared/problem.tsx'
import { leaveFor, providerKey, takeProblem } from '../shared/providers.tsx'
import { options, readSession, setUser, signOut, user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { formatTime } from '../shared/time-format.ts'
import { Cut, NewPassword } from './parts.tsx'
import { forgotPage, OtherWays, PageLink, token } from './links.tsx'
import type { WaysProps } from './links.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

type Link = Schemas['MailLink']

/** Null for a link that does not work. */
function ifDead(error: unknown) {
  if (error instanceof RejectedCall && error.problem.code === 'invalid-token') return null
  throw error
}

interface MailLinkProps {
  purpose: Schemas['MailLinkToken']['purpose']
  title: Key
  /** Above everything, such as why a provider led back here. */
  notice?: ComponentChildren
  text: Key | ((link: Link) => Key)
  /** The effects of the action, listed below the text and what the link ends. */
  effects?: readonly Key[]
  /** Whether only the user whom the link is for can use it. */
  needsOwner?: boolean
  /** For somebody who is signed in to an account that the link is not for. */
  other?: Key
  action?: Key
  isDangerous?: boolean
  fields?: ComponentChildren
  /** Below the sign-in form, or in place of the button. */
  children?: ComponentChildren
  send?(fields: Record<string, string>): Promise<unknown>
  /** Title and text in place of the view, once the action has succeeded. */
  done?: readonly [title: Key, text: Key]
  /** Another help if the link does not work, for somebody who is signed out. */
  again: Key
  /** The view for its first step, by default the sign-in. */
  remedy?: string
  /** Ways beside it. */
  ways?: WaysProps['to']
}

/**
 * A view for the link of a mail. It says what the link is about, or that it does not work. Opening
 * it does nothing: the user presses a button.
 */
export function MailLink(props: MailLinkProps) {
  const { purpose, title, notice, text, effects = [], needsOwner, children, again } = props
  const { action = title, isDangerous = false, fields, send, done, ways = [] } = props
  const { remedy = '/sign-in' } = props
  const isSignIn = remedy === '/sign-in' || (!user.value && remedy === '/security')
  const label = say(isSignIn ? 'to-sign-in' : 'new-link')
  const loaded = useLoaded<Link | null>(['mail-link', purpose, user.value?.id], async () => {
    const body = { purpose, token }
    return token === '' ? null : ok(portal.POST('/api/auth/mail-link', { body })).catch(ifDead)
  })
  const link = 'value' in loaded ? loaded.value : undefined
  const { email = '' } = user.value ?? {}
  const values = {
    ...{ ...link?.invitation, email: link?.email ?? '', user: email },
    // A masked address stays on one line.
    account: (link?.own && email) || (link?.account?.replace('…', '…\u2060') ?? link?.email ?? ''),
    until: link ? formatTime(link.expiresAt) : ''
  }
  const points = [
    ...(link?.ends ?? []).map(({ kind, name }) => say(`ends-${kind}`, { name: name ?? '' })),
    ...effects.map((effect) => say(effect, values))
  ].map((text, n) => <li key={n}>{text}</li>)
  const about = (
    <>
      <Cut text={values.email} />
      <small>{say('link-about', values)}</small>
    </>
  )
  const isDone = purpose === 'key-revocation' && points.length === 0
  const [did, setDone] = useState<typeof values>()
  const submit = async (given: Record<string, string>) => {
    try {
      await send?.(given)
      setDone(values)
    } catch (error) {
      loaded.replace(ifDead(error))
    }
  }
  if (did && done) {
    return (
      <Page key="done" title={say(done[0])}>
        <p>{say(done[1], did)}</p>
        <OtherWays to={['sign-in']} />
      </Page>
    )
  }
  if (link === null) {
    return (
      <Page key="dead" title={say('link-dead')}>
        <p>{say(token === '' ? 'link-incomplete' : 'link-dead-text')}</p>
        {!user.value && <p>{say(again)}</p>}
        {(props.remedy || !user.value) && (
          <div class="actions">
            <PageLink to={remedy} label={label} kind="primary" />
          </div>
        )}
        <OtherWays to={ways.filter((way) => remedy !== `/${way}`)} />
      </Page>
    )
  }
  return (
    <Page title={say(title)} about={link && !did && about}>
      {notice}
      <Loaded from={loaded}>
        {() =>
          link && (
            <>
              <p>{say(typeof text === 'string' ? text : text(link), values)}</p>
              {points.length > 0 && <ul>{points}</ul>}
              {needsOwner && !link.own ? (
                <>
                  <p>{say(user.value ? 'link-foreign' : 'link-sign-in', values)}</p>
                  {user.value ? (
                    <OneAction label={say('sign-out')} onPress={signOut} />
                  ) : (
                    <SignInForm
                      email={link.account === null ? link.email : ''}
                      forgot={forgotPage()}
                      onSignedIn={(signedIn) => setUser(signedIn.user)}
                    />
                  )}
                  {children}
                </>
              ) : (
                <>
                  {user.value && !link.own && !isDone && (
                    <p>{say(props.other ?? 'other-account', values)}</p>
                  )}
                  {children || isDone || (
                    <Form action={say(action)} onSubmit={submit} isDangerous={isDangerous}>
                      {fields}
                    </Form>
                  )}
                </>
              )}
            </>
          )
        }
      </Loaded>
      {!needsOwner && purpose !== 'invitation' && <OtherWays to={['sign-in']} />}
    </Page>
  )
}

/** Confirms the address of a registration, and signs in. */
export function Confirm() {
  const [due, setDue] = useState<Due>()
  const [failure] = useState(takeProblem)
  const returnTo = settings.returnTo ?? '/'
  const forgot = forgotPage()
  const leave = () => location.assign(returnTo)
  const confirm = async ({ password = '' }) => {
    // The account at the provider with which the registration began proves who opens the link.
    if (providerKey) return leaveFor(providerKey, { intent: 'confirm', returnTo, token })
    const response = await ok(portal.POST('/api/auth/confirm', { body: { token, password } }))
    return 'next' in response ? setDue(response) : leave()
  }
  return (
    <MailLink
      purpose="confirm"
      title={due ? 'email-confirmed' : 'confirm'}
      notice={failure && <ProblemNotice error={failure} />}
      text={due ? 'email-confirmed-text' : providerKey ? 'confirm-provider-text' : 'confirm-text'}
      other="confirm-other"
      action="confirm-address"
      fields={
        !providerKey && (
          <CurrentPassword
            {...(user.value && { label: say('password-of-new') })}
            aside={forgot && <a href={forgot}>{say('to-forgot')}</a>}
            autofocus
          />
        )
      }
      send={confirm}
      again="confirm-again"
      ways={['register']}
    >
      {due && <SignInForm begun={due} onSignedIn={leave} />}
    </MailLink>
  )
}

/** Confirms the current or the new address of the signed-in user. */
export const ConfirmEmail = () => (
  <MailLink
    purpose="email-change"
    title="confirm"
    text={({ account }) => (account === null ? 'confirm-email-text' : 'confirm-new-text')}
    needsOwner
    action="confirm-address"
    send={async () => {
      await ok(portal.POST('/api/user/email/confirm', { body: { token } }))
      await readSession()
    }}
    done={['email-confirmed', 'email-confirmed-text']}
    again="security-again"
    remedy="/security"
  />
)

/** Revokes all API keys with the link in the mail about a recovery. */
export const EndKeys = () => (
  <MailLink
    purpose="key-revocation"
    title="end-keys"
    text={({ ends }) => (ends.length > 0 ? 'end-keys-text' : 'keys-none')}
    action="end-keys"
    isDangerous
    send={() => ok(portal.POST('/api/auth/keys/end', { body: { token } }))}
    done={['end-keys-done', 'end-keys-done-text']}
    again="end-keys-again"
  />
)

/** Restores an account with the link in the mail about its deletion. */
export const Restore = () => (
  <MailLink
    purpose="restore"
    title="restore"
    text="restore-text"
    action="restore-action"
    send={() => ok(portal.POST('/api/auth/restore', { body: { token } }))}
    done={['restore-done', 'restore-done-text']}
    again="restore-again"
  />
)

const newPassword = () => <NewPassword name="newPassword" label={say('new-password')} autofocus />

/** Sets a new password with a link that a user got by mail or from an operator. */
export const Reset = () => (
  <MailLink
    purpose="password-reset"
    title="reset"
    text="reset-text"
    action="set-password"
    fields={newPassword()}
    send={({ newPassword = '' }) =>
      ok(portal.POST('/api/auth/recovery/confirm', { body: { token, newPassword } }))
    }
    done={['reset-done', 'reset-done-text']}
    again={options.value?.passwordReset ? 'reset-again' : 'reset-operator'}
    {...(options.value?.passwordReset && { remedy: '/forgot' })}
    ways={['sign-in']}
  />
)

const taken = ['revert-added', 'revert-password', 'revert-sessions'] as const

/**
 * Takes an account back whose address was changed, with the link in the mail to the old one, or to
 * which somebody added a second factor, with the link in the notice.
 */
export const TakeBack = ({ isAddress = false }) => (
  <MailLink
    purpose={isAddress ? 'email-revert' : 'factor-revert'}
    title="revert"
    text="revert-text"
    effects={isAddress ? ['revert-address', ...taken] : taken}
    action="revert-action"
    fields={newPassword()}
    send={({ newPassword = '' }) => {
      const path = isAddress ? '/api/auth/email/revert' : '/api/auth/factors/revert'
      return ok(portal.POST(path, { body: { token, newPassword } }))
    }}
    done={['revert-done', isAddress ? 'revert-done-text' : 'revert-factors-done-text']}
    again="revert-again"
    ways={['forgot']}
  />
)
