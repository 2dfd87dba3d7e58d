import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { EmailField, Field } from '../shared/controls.tsx'
import { Form } from '../shared/form.tsx'
import { Page, settings } from '../shared/page.tsx'
import { ProviderButtons } from '../shared/providers.tsx'
import { options, user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { NewPassword } from './parts.tsx'
import { OtherWays, PageLink } from './links.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

interface SignInProps {
  /** Where a provider leads back to, by default this page. */
  returnTo?: string
  /** The purpose, if it is something that needs an account. */
  why?: Key | undefined
  onSignedIn(signedIn: Schemas['SignedIn']): void
}

export function SignIn({ why, ...props }: SignInProps) {
  const [due, setDue] = useState<Due>()
  return (
    <Page
      title={due ? say('enter-factor') : say('sign-in-to', { product: settings.product })}
      about={due ? due.email : why && say(why)}
    >
      <SignInForm {...props} onDue={setDue} />
      {!due && <OtherWays to={why ? ['forgot'] : ['forgot', 'register']} />}
    </Page>
  )
}

/** Leads to the app afterwards, or to `?return=`. */
export function SignInAndLeave() {
  const { returnTo = '/' } = settings
  return (
    <SignedOut>
      <SignIn returnTo={returnTo} onSignedIn={() => location.assign(returnTo)} />
    </SignedOut>
  )
}

/** A view for people without an account or session. Others go where it leads in the end. */
function SignedOut({ children }: { children: ComponentChildren }) {
  const [wasSignedIn] = useState(user.value !== null)
  useEffect(() => {
    if (wasSignedIn) location.replace(settings.returnTo ?? '/')
  }, [wasSignedIn])
  return wasSignedIn ? null : <>{children}</>
}

/** Creates an account, and signs in if that needs no confirmation. */
export function Register() {
  const [mailed, setMailed] = useState<string>()
  const register = async ({ name = '', email = '', password = '' }) => {
    const created = await ok(portal.POST('/api/auth/register', { body: { name, email, password } }))
    if (!('user' in created)) return setMailed(email)
    await ok(portal.POST('/api/auth/login', { body: { email, password } }))
    location.assign(settings.returnTo ?? '/')
  }
  if (mailed !== undefined) {
    return (
      <Page title={say('mail-sent')}>
        <p>{say('registered-text', { email: mailed })}</p>
      </Page>
    )
  }
  return (
    <SignedOut>
      <Page title={say('register-at', { product: settings.product })}>
        <ProviderButtons
          providers={options.value?.providers ?? []}
          returnTo={settings.returnTo ?? '/'}
        />
        {options.value?.registration === 'open' ? (
          <Form action={say('register')} onSubmit={register}>
            <Field label={say('name')} name="name" autocomplete="name" required maxLength={80} />
            <EmailField autocomplete="username" />
            <NewPassword name="password" label={say('password')} />
          </Form>
        ) : (
          <p>{say('problem.registration-closed')}</p>
        )}
        <ul class="links">
          <li>
            {say('have-account')} <PageLink to="/sign-in" label={say('to-sign-in')} />
          </li>
        </ul>
      </Page>
    </SignedOut>
  )
}

/** Asks for the link to choose a new password. The response does not reveal who has an account. */
export function Forgot() {
  const [mailed, setMailed] = useState<string>()
  const send = async ({ email = '' }) => {
    await ok(portal.POST('/api/auth/recovery', { body: { email } }))
    setMailed(email)
  }
  return (
    <Page title={say(mailed === undefined ? 'forgot' : 'mail-sent')}>
      {mailed !== undefined ? (
        <p>{say('forgot-sent', { email: mailed })}</p>
      ) : options.value?.passwordReset ? (
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
