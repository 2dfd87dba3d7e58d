import { useState } from 'preact/hooks'
import { portal } from '../shared/client.ts'
import { CurrentPassword } from '../shared/fields.tsx'
import { Action, Form } from '../shared/form.tsx'
import { providerKey, takeProblem } from '../shared/led-back.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNotice } from '../shared/problem.tsx'
import { leaveFor } from '../shared/providers.tsx'
import { settings } from '../shared/settings.ts'
import { user } from '../shared/session.ts'
import { options } from '../shared/session-calls.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { OtherWays, PageLink } from './links.tsx'
import { LinkTrouble, OtherAccount, useMailLink } from './mail-link.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

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
