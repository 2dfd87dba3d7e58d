import { useState } from 'preact/hooks'
import { portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { readSession } from '../shared/session-calls.ts'
import { user } from '../shared/session.ts'
import { OtherWays, PageLink } from './links.tsx'
import { NewLink, useMailLink } from './mail-link.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

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
