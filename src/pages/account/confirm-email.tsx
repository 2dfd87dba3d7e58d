import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { readSession } from '../shared/session-calls.ts'
import { user } from '../shared/session.ts'
import { PageLink } from './links.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

/** Confirms the current or the new address of the signed-in user, when they press the button. */
export function ConfirmEmail() {
  const [confirmed, setConfirmed] = useState<string>()
  const confirm = async () => {
    const { email } = await ok(portal.POST('/api/user/email/confirm', { body: { token } }))
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
  return (
    <Page title={say('confirm')}>
      <p>{say('confirm-email-text', { email: user.value?.email ?? '' })}</p>
      {token === '' ? (
        <p>{say('link-incomplete')}</p>
      ) : (
        <div class="actions">
          <Action label={say('confirm-address')} onPress={confirm} />
        </div>
      )}
      <p>
        <PageLink to="/security" label={say('new-link')} />
      </p>
    </Page>
  )
}
