import { useState } from 'preact/hooks'
import { ok, RejectedCall } from '../shared/client.ts'
import { user } from '../shared/session.ts'
import { PageLink } from './links.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

const isRefusal = (error: unknown) =>
  error instanceof RejectedCall && error.problem.code === 'invalid-token'

/**
 * Whether the link of a mail is of no use: it is incomplete, or the portal has refused it. Before
 * that, a view does not say how to get another one: that would raise doubt.
 * @param failure why the page was opened again
 */
export function useMailLink(failure?: unknown) {
  const [isBroken, setBroken] = useState(token === '' || isRefusal(failure))
  /** Takes the response to the call that the link is for. */
  const follow: typeof ok = async (response) => {
    try {
      return await ok(response)
    } catch (error) {
      if (isRefusal(error)) setBroken(true)
      throw error
    }
  }
  return { isBroken, follow }
}

interface OtherAccountProps {
  text?: 'other-account' | 'confirm-other' | 'restore-other'
}

/** For somebody who is signed in: the mail may have come to another account. */
export const OtherAccount = ({ text = 'other-account' }: OtherAccountProps) =>
  user.value && <p>{say(text, { email: user.value.email })}</p>

/** Leads to where the user can ask for another link: the first step if the form is not there. */
export const NewLink = ({ to }: { to: string }) => (
  <div class="actions">
    <PageLink to={to} label={say('new-link')} kind={token === '' ? 'primary' : 'outline'} />
  </div>
)

interface TroubleProps {
  incomplete?: string
  /** What else helps, for those who can sign in. */
  again: string
}

/** What to do about a link that is of no use. */
export function LinkTrouble({ incomplete = say('link-incomplete'), again }: TroubleProps) {
  const text = [token === '' && incomplete, user.value === null && again].filter(Boolean)
  return text.length > 0 ? <p>{text.join(' ')}</p> : null
}
