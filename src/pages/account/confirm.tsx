import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { CurrentPassword } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { settings } from '../shared/settings.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { OtherWays } from './links.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

/** Confirms the address of a registration, and signs in. */
export function Confirm() {
  const [due, setDue] = useState<Due>()
  const leave = () => location.assign(settings.returnTo ?? '/')
  const confirm = async ({ password = '' }) => {
    const response = await ok(portal.POST('/api/auth/confirm', { body: { token, password } }))
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
      {token === '' ? (
        <p>{say('link-incomplete')}</p>
      ) : (
        <>
          <p>{say('confirm-text')}</p>
          <Form action={say('confirm-address')} onSubmit={confirm}>
            <CurrentPassword />
          </Form>
        </>
      )}
      <p>{say('confirm-again')}</p>
      <OtherWays withSignIn />
    </Page>
  )
}
