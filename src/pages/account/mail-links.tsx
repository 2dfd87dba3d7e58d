import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ok, portal, RejectedCall } from '../shared/client.ts'
import { CurrentPassword } from '../shared/controls.tsx'
import { Action, Form } from '../shared/form.tsx'
import { Page, settings } from '../shared/page.tsx'
import { ProblemNotice } from '../shared/problem.tsx'
import { leaveFor, providerKey, takeProblem } from '../shared/providers.tsx'
import { options, readSession, user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { NewPassword } from './parts.tsx'
import { OtherWays, PageLink, token } from './links.tsx'
import type { WaysProps } from './links.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

interface MailLinkProps {
  title: Key
  /** Above everything, such as why a provider led back here. */
  notice?: ComponentChildren
  text: string
  /** The effects of the action, listed below the text. */
  effects?: readonly Key[]
  /** For somebody who is signed in: the mail may have come to another account. */
  account?: Key | null
  action: Key
  isDangerous?: boolean
  fields?: ComponentChildren
  send(fields: Record<string, string>): Promise<unknown>
  /** Title and text in place of the view, once the action has succeeded. */
  done?: readonly [title: Key, text: Key]
  incomplete?: Key
  /** For a link that is of no use: what else helps, for somebody who is signed out. */
  again?: Key
  /** For a link that is of no use: the first step to another one, and the ways beside it. */
  remedy?: { to: string; label: Key; ways: WaysProps['to']; evenSignedIn?: boolean } | undefined
  ways?: WaysProps['to']
}

/**
 * A view for the link of a mail. Opening it does nothing: the user presses a button. It does not
 * say how to get another link before the portal has refused this one, which would raise doubt.
 */
export function MailLink(props: MailLinkProps) {
  const { title, notice, text, effects, account = 'other-account' } = props
  const { action, isDangerous = false, fields, send, done } = props
  const { incomplete = 'link-incomplete', again, remedy, ways = ['sign-in'] } = props
  const [isDone, setDone] = useState(false)
  const [isBroken, setBroken] = useState(token === '')
  const submit = async (given: Record<string, string> = {}) => {
    try {
      await send(given)
      setDone(true)
    } catch (error) {
      const isRefused = error instanceof RejectedCall && error.problem.code === 'invalid-token'
      if (isRefused) setBroken(true)
      throw error
    }
  }
  if (isDone && done) {
    return (
      <Page title={say(done[0])}>
        <p>{say(done[1])}</p>
        <OtherWays to={['sign-in']} />
      </Page>
    )
  }
  const trouble = [
    ...(token === '' ? [say(incomplete)] : []),
    ...(isBroken && again && user.value === null ? [say(again)] : [])
  ]
  const shown = isBroken && (remedy?.evenSignedIn || !user.value) ? remedy : undefined
  return (
    <Page title={say(title)}>
      {notice}
      {token !== '' && (
        <>
          <p>{text}</p>
          {effects && (
            <ul>
              {effects.map((effect) => (
                <li key={effect}>{say(effect)}</li>
              ))}
            </ul>
          )}
          {user.value && account && <p>{say(account, { email: user.value.email })}</p>}
          {fields ? (
            <Form action={say(action)} onSubmit={submit}>
              {fields}
            </Form>
          ) : (
            <div class="actions">
              <Action label={say(action)} onPress={submit} isDangerous={isDangerous} />
            </div>
          )}
        </>
      )}
      {trouble.length > 0 && <p>{trouble.join(' ')}</p>}
      {shown && (
        <div class="actions">
          <PageLink
            to={shown.to}
            label={say(shown.label)}
            kind={shown.evenSignedIn && token !== '' ? 'outline' : 'primary'}
          />
        </div>
      )}
      <OtherWays to={shown?.ways ?? ways} />
    </Page>
  )
}

/** Confirms the address of a registration, and signs in. */
export function Confirm() {
  const [due, setDue] = useState<Due>()
  const [failure] = useState(takeProblem)
  const returnTo = settings.returnTo ?? '/'
  const leave = () => location.assign(returnTo)
  if (due) {
    return (
      <Page title={say('email-confirmed')}>
        <SignInForm begun={due} onSignedIn={leave} />
      </Page>
    )
  }
  const ways = ['sign-in', 'forgot'] as const
  const confirm = async ({ password = '' }) => {
    // The account at the provider with which the registration began proves who opens the link.
    if (providerKey) return leaveFor(providerKey, { intent: 'confirm', returnTo, token })
    const response = await ok(portal.POST('/api/auth/confirm', { body: { token, password } }))
    return 'next' in response ? setDue(response) : leave()
  }
  return (
    <MailLink
      title="confirm"
      notice={failure && <ProblemNotice error={failure} />}
      text={say(providerKey ? 'confirm-provider-text' : 'confirm-text')}
      account="confirm-other"
      action="confirm-address"
      fields={
        !providerKey && <CurrentPassword {...(user.value && { label: say('password-of-new') })} />
      }
      send={confirm}
      again="confirm-again"
      remedy={
        options.value?.registration === 'open'
          ? { to: '/register', label: 'to-register', ways }
          : undefined
      }
      ways={ways}
    />
  )
}

/** Confirms the current or the new address of the signed-in user. */
export function ConfirmEmail() {
  const [confirmed, setConfirmed] = useState<string>()
  if (confirmed !== undefined) {
    return (
      <Page title={say('email-confirmed')}>
        <p>{say('email-confirmed-text', { email: confirmed })}</p>
        <p>
          <PageLink to="/security" label={say('to-security')} />
        </p>
      </Page>
    )
  }
  const { email = '', emailVerified } = user.value ?? {}
  return (
    <MailLink
      title="confirm"
      // Only a new address is left to confirm, if the present one is confirmed.
      text={say(emailVerified ? 'confirm-new-text' : 'confirm-email-text', { email })}
      account={null}
      action="confirm-address"
      send={async () => {
        const { email } = await ok(portal.POST('/api/user/email/confirm', { body: { token } }))
        setConfirmed(email)
        await readSession()
      }}
      remedy={{ to: '/security', label: 'new-link', ways: [], evenSignedIn: true }}
    />
  )
}

/** Ends all API keys with the link in the mail about a recovery. */
export const EndKeys = () => (
  <MailLink
    title="end-keys"
    text={say('end-keys-text')}
    action="end-keys"
    isDangerous
    send={() => ok(portal.POST('/api/auth/keys/end', { body: { token } }))}
    done={['end-keys-done', 'end-keys-done-text']}
    again="end-keys-again"
  />
)

const signIn = { to: '/sign-in', label: 'to-sign-in' } as const

/** Restores an account with the link in the mail about its deletion. */
export const Restore = () => (
  <MailLink
    title="restore"
    text={say('restore-text')}
    account="restore-other" // an account that is set to be deleted has no sessions
    action="restore-action"
    send={() => ok(portal.POST('/api/auth/restore', { body: { token } }))}
    done={['restore-done', 'restore-done-text']}
    incomplete="restore-incomplete"
    again="restore-again"
    remedy={{ ...signIn, ways: [] }}
  />
)

const newPassword = () => <NewPassword name="newPassword" label={say('new-password')} />

/** Sets a new password with a link that a user got by mail or from an operator. */
export const Reset = () => (
  <MailLink
    title="reset"
    text={say('reset-text')}
    action="set-password"
    fields={newPassword()}
    send={({ newPassword = '' }) =>
      ok(portal.POST('/api/auth/recovery/confirm', { body: { token, newPassword } }))
    }
    done={['reset-done', 'reset-done-text']}
    remedy={
      options.value?.passwordReset
        ? { to: '/forgot', label: 'new-link', ways: ['sign-in'], evenSignedIn: true }
        : { ...signIn, ways: ['forgot'] }
    }
  />
)

interface TakeBackProps {
  path: '/api/auth/email/revert' | '/api/auth/factors/revert'
  /** The first effect. Both links have the others. */
  first: Key
  done: Key
}

const TakeBack = ({ path, first, done }: TakeBackProps) => (
  <MailLink
    title="revert"
    text={say('revert-text')}
    effects={[first, 'revert-added', 'revert-password', 'revert-sessions']}
    action="revert-action"
    fields={newPassword()}
    send={({ newPassword = '' }) => ok(portal.POST(path, { body: { token, newPassword } }))}
    done={['revert-done', done]}
    incomplete="link-incomplete-notice"
    remedy={{ ...signIn, ways: ['forgot'] }}
  />
)

/** Takes an account back whose address was changed, with the link in the mail to the old one. */
export const Revert = () => (
  <TakeBack path="/api/auth/email/revert" first="revert-address" done="revert-done-text" />
)

/** Takes an account back to which somebody added a second factor, with the link in the notice. */
export const RevertFactors = () => (
  <TakeBack path="/api/auth/factors/revert" first="revert-factor" done="revert-factors-done-text" />
)
