import { useState } from 'preact/hooks'
import { portal } from '../shared/client.ts'
import type { ok } from '../shared/client.ts'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { options, user } from '../shared/session.ts'
import { NewPassword } from './confirmed-action.tsx'
import { NewLink, OtherAccount, OtherWays, PageLink, token, useMailLink } from './links.tsx'
import { say } from './say.ts'

/** Sets a new password with a link that a user got by mail or from an operator. */
export const Reset = () => (
  <ByLink
    texts={{
      title: say('reset'),
      text: say('reset-text'),
      action: say('set-password'),
      done: say('reset-done'),
      doneText: say('reset-done-text'),
      incomplete: say('link-incomplete')
    }}
    mayAskAgain={options.value?.passwordReset ?? false}
    send={(body) => portal.POST('/api/auth/recovery/confirm', { body })}
  />
)

/** Takes an account back whose address was changed, with the link in the mail to the old one. */
export const Revert = () => (
  <TakeBack
    first={say('revert-address')}
    doneText={say('revert-done-text')}
    send={(body) => portal.POST('/api/auth/email/revert', { body })}
  />
)

/** Takes an account back to which somebody added a second factor, with the link in the notice. */
export const RevertFactors = () => (
  <TakeBack
    first={say('revert-factor')}
    doneText={say('revert-factors-done-text')}
    send={(body) => portal.POST('/api/auth/factors/revert', { body })}
  />
)

interface TakeBackProps {
  /** The first effect. Both have the others. */
  first: string
  doneText: string
  send: ByLinkProps['send']
}

const TakeBack = ({ first, doneText, send }: TakeBackProps) => (
  <ByLink
    texts={{
      title: say('revert'),
      text: say('revert-text'),
      action: say('revert-action'),
      done: say('revert-done'),
      doneText,
      incomplete: say('link-incomplete-notice')
    }}
    effects={[first, say('revert-added'), say('revert-password'), say('revert-sessions')]}
    send={send}
  />
)

interface ByLinkProps {
  /** `incomplete` is in place of the form, for an address without its token. */
  texts: Record<'title' | 'text' | 'action' | 'done' | 'doneText' | 'incomplete', string>
  /** Of the action, listed below the text. */
  effects?: string[]
  /** Whether the user can ask for another link. */
  mayAskAgain?: boolean
  send(body: { token: string; newPassword: string }): Parameters<typeof ok>[0]
}

function ByLink({ texts, effects, mayAskAgain, send }: ByLinkProps) {
  const [isDone, setDone] = useState(false)
  const { isBroken, follow } = useMailLink()
  const submit = async ({ newPassword = '' }) => {
    await follow(send({ token, newPassword }))
    setDone(true)
  }
  if (isDone) {
    return (
      <Page title={texts.done}>
        <p>{texts.doneText}</p>
        <OtherWays to={['sign-in']} />
      </Page>
    )
  }
  return (
    <Page title={texts.title}>
      {token === '' ? (
        <p>{texts.incomplete}</p>
      ) : (
        <>
          <p>{texts.text}</p>
          {effects && (
            <ul>
              {effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          )}
          <OtherAccount />
          <Form action={texts.action} onSubmit={submit}>
            <NewPassword name="newPassword" label={say('new-password')} />
          </Form>
        </>
      )}
      {isBroken && mayAskAgain && <NewLink to="/forgot" />}
      {isBroken && !mayAskAgain && !user.value ? (
        <>
          <div class="actions">
            <PageLink to="/sign-in" label={say('to-sign-in')} kind="primary" />
          </div>
          <OtherWays to={['forgot']} />
        </>
      ) : (
        <OtherWays to={['sign-in']} />
      )}
    </Page>
  )
}
