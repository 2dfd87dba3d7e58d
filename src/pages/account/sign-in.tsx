import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { EmailField } from '../shared/controls.tsx'
import { Action, Form } from '../shared/form.tsx'
import { Page, settings } from '../shared/page.tsx'
import { ProviderButtons } from '../shared/providers.tsx'
import { options, user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { forgotPage, OtherWays } from './links.tsx'
import { Cut, NameField, NewPassword, useStatus } from './parts.tsx'
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
      title={due ? say('enter-factor') : say(why ?? 'sign-in-to', { product: settings.product })}
      about={due?.email && <Cut text={due.email} />}
    >
      <SignInForm {...props} forgot={forgotPage()} onDue={setDue} />
      {!due && !why && <OtherWays to={['register']} lead="no-account" />}
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

/** A form that sends a mail: what was typed, and what sends it again once it was sent. */
interface Mailed {
  name?: string
  email: string
  again?(): Promise<unknown>
}

/** Creates an account, and signs in if that needs no confirmation. */
export function Register() {
  const [{ name = '', email, again }, setMailed] = useState<Mailed>({ email: '' })
  const register = async ({ name = '', email = '', password = '' }): Promise<void> => {
    const body = { name, email, password }
    const created = await ok(portal.POST('/api/auth/register', { body }))
    if (!('user' in created)) return setMailed({ name, email, again: () => register(body) })
    await ok(portal.POST('/api/auth/login', { body: { email, password } }))
    location.assign(settings.returnTo ?? '/')
  }
  if (again) {
    const text = say('registered-text', { email })
    return <MailSent text={text} again={again} onBack={() => setMailed({ name, email })} />
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
            <NameField defaultValue={name} autofocus />
            <EmailField autocomplete="username" defaultValue={email} />
            <NewPassword name="password" label={say('password')} />
          </Form>
        ) : (
          <p>{say('problem.registration-closed')}</p>
        )}
        <OtherWays to={['sign-in']} lead="have-account" />
      </Page>
    </SignedOut>
  )
}

/** Asks for the link to choose a new password. The response does not reveal who has an account. */
export function Forgot() {
  const [{ email, again }, setMailed] = useState<Mailed>({ email: user.value?.email ?? '' })
  const send = async ({ email = '' }) => {
    await ok(portal.POST('/api/auth/recovery', { body: { email } }))
    setMailed({ email, again: () => send({ email }) })
  }
  if (again) {
    const text = say('forgot-sent', { email })
    return <MailSent text={text} again={again} onBack={() => setMailed({ email })} />
  }
  return (
    <Page title={say('forgot')}>
      {options.value?.passwordReset ? (
        <>
          <p>{say('forgot-text')}</p>
          <Form action={say('send-link')} onSubmit={send}>
            <EmailField autocomplete="username" defaultValue={email} autofocus />
          </Form>
        </>
      ) : (
        <p>{say('problem.mail-off')}</p>
      )}
      <OtherWays to={['sign-in']} />
    </Page>
  )
}

/** After such a form. A mail that does not arrive may need another try, or another address. */
function MailSent(props: { text: string; again(): Promise<unknown>; onBack(): void }) {
  const { text, again, onBack } = props
  const { status, report } = useStatus()
  const send = () => again().then(() => report(say('sent-again')))
  return (
    <Page title={say('mail-sent')}>
      <p>{text}</p>
      <div class="actions">
        <Action label={say('send-again')} kind="outline" onPress={send} />
        <Action label={say('other-address')} kind="plain" onPress={onBack} />
      </div>
      {status}
      <OtherWays to={['sign-in']} />
    </Page>
  )
}
