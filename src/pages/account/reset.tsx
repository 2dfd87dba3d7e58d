import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { options } from '../shared/session-calls.ts'
import { PageLink, ToSignIn } from './links.tsx'
import { NewPassword } from './new-password.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

/** Sets a new password with a link that a user got by mail or from an operator. */
export const Reset = () => (
  <ByLink
    texts={{
      title: say('reset'),
      text: say('reset-text'),
      action: say('set-password'),
      done: say('reset-done'),
      doneText: say('reset-done-text')
    }}
    send={(body) => portal.POST('/api/auth/recovery/confirm', { body })}
  >
    {options.value?.passwordReset && (
      <ul class="links">
        <li>
          <PageLink to="/forgot" label={say('new-link')} />
        </li>
      </ul>
    )}
  </ByLink>
)

/** Takes an account back whose address was changed, with the link in the mail to the old one. */
export const Revert = () => (
  <ByLink
    texts={{
      title: say('revert'),
      text: say('revert-text'),
      action: say('revert-action'),
      done: say('revert-done'),
      doneText: say('revert-done-text'),
      incomplete: say('link-incomplete-notice')
    }}
    send={(body) => portal.POST('/api/auth/email/revert', { body })}
  >
    <ToSignIn />
  </ByLink>
)

/** Takes an account back to which somebody added a second factor, with the link in the notice. */
export const RevertFactors = () => (
  <ByLink
    texts={{
      title: say('revert'),
      text: say('revert-factors-text'),
      action: say('revert-factors-action'),
      done: say('revert-done'),
      doneText: say('revert-factors-done-text'),
      incomplete: say('link-incomplete-notice')
    }}
    send={(body) => portal.POST('/api/auth/factors/revert', { body })}
  >
    <ToSignIn />
  </ByLink>
)

interface ByLinkProps {
  texts: Record<'title' | 'text' | 'action' | 'done' | 'doneText', string> & {
    /** In place of the form, for an address without its token. */
    incomplete?: string
  }
  /** Below the form. */
  children?: ComponentChildren
  send(body: { token: string; newPassword: string }): Parameters<typeof ok>[0]
}

function ByLink({ texts, send, children }: ByLinkProps) {
  const [isDone, setDone] = useState(false)
  const submit = async ({ newPassword = '' }) => {
    await ok(send({ token, newPassword }))
    setDone(true)
  }
  if (isDone) {
    return (
      <Page title={texts.done}>
        <p>{texts.doneText}</p>
        <ToSignIn />
      </Page>
    )
  }
  return (
    <Page title={texts.title}>
      {token === '' ? (
        <p>{texts.incomplete ?? say('link-incomplete')}</p>
      ) : (
        <>
          <p>{texts.text}</p>
          <Form action={texts.action} onSubmit={submit}>
            <NewPassword name="newPassword" label={say('new-password')} />
          </Form>
        </>
      )}
      {children}
    </Page>
  )
}
