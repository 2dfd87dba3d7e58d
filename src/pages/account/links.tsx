import { options, user } from '../shared/session.ts'
import { ifAllowed } from '../shared/storage.ts'
import { say } from './say.ts'
import type { Key } from './say.ts'

// Imported first: takes the token of a mail out of the address before anything else runs, so that
// it is neither in the history nor in what a later error reports.
const key = 'token'
const address = new URL(location.href)
const linked = address.searchParams.get(key)
if (linked !== null) {
  address.searchParams.delete(key)
  history.replaceState(null, '', address)
}

const handedOver = ifAllowed(() => sessionStorage.getItem(key))
ifAllowed(() => sessionStorage.removeItem(key))

/** The token of the link that led here, or the empty string. */
export const token = linked ?? handedOver ?? ''

/** Keeps the token over a reload: the link may be for the user who signs in next. */
export function handOverToken() {
  if (token !== '') ifAllowed(() => sessionStorage.setItem(key, token))
}

const kept = new URLSearchParams(location.search).get('return')

/** The address of another view below /account, which keeps where to go after a sign-in. */
export const addressOf = (path: string) =>
  kept === null ? path : `${path}?return=${encodeURIComponent(kept)}`

interface LinkProps {
  to: string
  label: string
  /** The look of a button, for a link that is not in a text. */
  kind?: 'primary' | 'outline'
}

/** A link to a view that begins with a new page: the token of a mail does not get there. */
export const PageLink = ({ to, label, kind }: LinkProps) => (
  <a href={`/account${addressOf(to)}`} role={kind && 'button'} class={kind}>
    {label}
  </a>
)

/** Views for people who are not signed in, and whether this portal has them. */
const ways = {
  'sign-in': () => true,
  forgot: () => options.value?.passwordReset,
  register: () => options.value?.registration === 'open'
}

export interface WaysProps {
  to: readonly (keyof typeof ways)[]
  /** The question before each link. */
  lead?: Key
}

/** Links from a view that needs no user. A signed-in user has the menu. */
export function OtherWays({ to, lead }: WaysProps) {
  const shown = user.value ? [] : to.filter((way) => ways[way]())
  return shown.length === 0 ? null : (
    <ul class="links">
      {shown.map((way) => (
        <li key={way}>
          {lead && say(lead)} <PageLink to={`/${way}`} label={say(`to-${way}`)} />
        </li>
      ))}
    </ul>
  )
}

/** The page for users who have forgotten their password, if there is one. */
export const forgotPage = () =>
  options.value?.passwordReset ? `/account${addressOf('/forgot')}` : undefined
