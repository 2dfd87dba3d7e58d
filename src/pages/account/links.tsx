import { options } from '../shared/session-calls.ts'
import { say } from './say.ts'

const kept = new URLSearchParams(location.search).get('return')

/** The address of another view below /account, which keeps where to go after a sign-in. */
export const addressOf = (path: string) =>
  kept === null ? path : `${path}?return=${encodeURIComponent(kept)}`

/** A link to a view that begins with a new page: the token of a mail does not get there. */
export const PageLink = ({ to, label }: { to: string; label: string }) => (
  <a href={`/account${addressOf(to)}`}>{label}</a>
)

/** Other views for a user who cannot sign in. */
export const OtherWays = ({ withSignIn = false }) => (
  <ul class="links">
    {withSignIn && <SignInItem />}
    {options.value?.passwordReset && (
      <li>
        <PageLink to="/forgot" label={say('to-forgot')} />
      </li>
    )}
    {options.value?.registration === 'open' && (
      <li>
        <PageLink to="/register" label={say('to-register')} />
      </li>
    )}
  </ul>
)

export const ToSignIn = () => (
  <ul class="links">
    <SignInItem />
  </ul>
)

const SignInItem = () => (
  <li>
    <PageLink to="/sign-in" label={say('to-sign-in')} />
  </li>
)
