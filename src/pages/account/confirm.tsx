import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { CurrentPassword, EmailField } from '../shared/controls.tsx'
import { Action, Form } from '../shared/form.tsx'
import { Page, settings } from '../shared/page.tsx'
import { ProblemNotice } from '../shared/problem.tsx'
import { leaveFor, providerKey, takeProblem } from '../shared/providers.tsx'
import { options, readSession, user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import {
  LinkTrouble,
  NewLink,
  OtherAccount,
  OtherWays,
  PageLink,
  token,
  useMailLink
} from './links.tsx'
import { say } from './say.ts'

/** The account at the provider with which the registration began proves who opens the link. */
const signInAgain = (key: string) => () =>
  leaveFor(key, { intent: 'confirm', returnTo: settings.returnTo ?? '/', token })

/** Confirms the address of a registration, and signs in. */
export function Confirm() {
  const [due, setDue] = useState<Due>()
  const [failure] = useState(takeProblem)
  const { isBroken, follow } = useMailLink(failure)
  const leave = () => location.assign(settings.returnTo ?? '/')
  const confirm = async ({ password = '' }) => {
    const response = await follow(portal.POST('/api/auth/confirm', { body: { token, password } }))
    if ('next' in response) setDue(response)
    else leave()
  }
  if (due) {
    return (
      <Page title={say('email-confirmed')}>
        <SignInForm begun={due} onSignedIn={leave} />
      </Page>
    )
  }
  return (
    <Page title={say('confirm')}>
      {failure && <ProblemNotice error={failure} />}
      {token !== '' &&
        (providerKey !== undefined ? (
          <>
            <p>{say('confirm-provider-text')}</p>
            <OtherAccount text="confirm-other" />
            <div class="actions">
              <Action label={say('confirm-address')} onPress={signInAgain(providerKey)} />
            </div>
          </>
        ) : (
          <>
            <p>{say('confirm-text')}</p>
            <OtherAccount text="confirm-other" />
            <Form action={say('confirm-address')} onSubmit={confirm}>
              <CurrentPassword {...(user.value && { label: say('password-of-new') })} />
            </Form>
          </>
        ))}
      {isBroken && <LinkTrouble again={say('confirm-again')} />}
      {isBroken && !user.value && options.value?.registration === 'open' && (
        <div class="actions">
          <PageLink to="/register" label={say('to-register')} kind="primary" />
        </div>
      )}
      <OtherWays to={['sign-in', 'forgot']} />
    </Page>
  )
}

/** Confirms the current or the new address of the signed-in user, when they press the button. */
export function ConfirmEmail() {
  const [confirmed, setConfirmed] = useState<string>()
  const { isBroken, follow } = useMailLink()
  const confirm = async () => {
    const { email } = await follow(portal.POST('/api/user/email/confirm', { body: { token } }))
    setConfirmed(email)
    await readSession()
  }
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
    <Page title={say('confirm')}>
      {token === '' ? (
        <p>{say('link-incomplete')}</p>
      ) : (
        <>
          {/* Only a new address is left to confirm, if the present one is confirmed. */}
          <p>{say(emailVerified ? 'confirm-new-text' : 'confirm-email-text', { email })}</p>
          <div class="actions">
            <Action label={say('confirm-address')} onPress={confirm} />
          </div>
        </>
      )}
      {isBroken && <NewLink to="/security" />}
      <OtherWays />
    </Page>
  )
}

/** Ends all API keys with the link in the mail about a recovery. Opening it does nothing. */
export function EndKeys() {
  const [isDone, setDone] = useState(false)
  const { isBroken, follow } = useMailLink()
  const end = async () => {
    await follow(portal.POST('/api/auth/keys/end', { body: { token } }))
    setDone(true)
  }
  return (
    <Page title={say(isDone ? 'end-keys-done' : 'end-keys')}>
      {isDone ? (
        <p>{say('end-keys-done-text')}</p>
      ) : (
        token !== '' && (
          <>
            <p>{say('end-keys-text')}</p>
            <OtherAccount />
            <div class="actions">
              <Action label={say('end-keys')} onPress={end} isDangerous />
            </div>
          </>
        )
      )}
      {isBroken && <LinkTrouble again={say('end-keys-again')} />}
      <OtherWays to={['sign-in']} />
    </Page>
  )
}

/** Restores an account with the link in the mail about its deletion. Opening it does nothing. */
export function Restore() {
  const [isDone, setDone] = useState(false)
  const { isBroken, follow } = useMailLink()
  const restore = async () => {
    await follow(portal.POST('/api/auth/restore', { body: { token } }))
    setDone(true)
  }
  return (
    <Page title={say(isDone ? 'restore-done' : 'restore')}>
      {isDone ? (
        <p>{say('restore-done-text')}</p>
      ) : (
        token !== '' && (
          <>
            <p>{say('restore-text')}</p>
            {/* An account that is set to be deleted has no sessions. */}
            <OtherAccount text="restore-other" />
            <div class="actions">
              <Action label={say('restore-action')} onPress={restore} />
            </div>
          </>
        )
      )}
      {isBroken && (
        <LinkTrouble incomplete={say('restore-incomplete')} again={say('restore-again')} />
      )}
      {isBroken && !user.value ? (
        <div class="actions">
          <PageLink to="/sign-in" label={say('to-sign-in')} kind="primary" />
        </div>
      ) : (
        <OtherWays to={['sign-in']} />
      )}
    </Page>
  )
}

/** Asks for the link to choose a new password. The response does not reveal who has an account. */
export function Forgot() {
  const [mailed, setMailed] = useState<string>()
  if (mailed !== undefined) {
    return (
      <Page title={say('mail-sent')}>
        <p>{say('forgot-sent', { email: mailed })}</p>
        <OtherWays to={['sign-in']} />
      </Page>
    )
  }
  const send = async ({ email = '' }) => {
    await ok(portal.POST('/api/auth/recovery', { body: { email } }))
    setMailed(email)
  }
  return (
    <Page title={say('forgot')}>
      {options.value?.passwordReset ? (
        <>
          <p>{say('forgot-text')}</p>
          <Form action={say('send-link')} onSubmit={send}>
            <EmailField autocomplete="username" defaultValue={user.value?.email ?? ''} />
          </Form>
        </>
      ) : (
        <p>{say('problem.mail-off')}</p>
      )}
      <OtherWays to={['sign-in']} />
    </Page>
  )
}
