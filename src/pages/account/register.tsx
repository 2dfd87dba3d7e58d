import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { EmailField } from '../shared/fields.tsx'
import { Field } from '../shared/controls.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { ProviderButtons } from '../shared/providers.tsx'
import { options } from '../shared/session-calls.ts'
import { settings } from '../shared/settings.ts'
import { PageLink } from './links.tsx'
import { NewPassword } from './new-password.tsx'
import { say } from './say.ts'
import { SignedOut } from './sign-in.tsx'

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
