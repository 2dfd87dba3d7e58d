import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { EmailField } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { options } from '../shared/session-calls.ts'
import { user } from '../shared/session.ts'
import { OtherWays } from './links.tsx'
import { say } from './say.ts'

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
