import './user.css'
import { portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { useGet } from '../../shared/load.tsx'
import { options, user as me } from '../../shared/session.ts'
import { Ago, Time } from '../../shared/time.tsx'
import { ActionButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { counted } from '../grouped.ts'
import { may } from '../may.ts'
import { Row } from '../parts.tsx'
import { change } from '../shell/status.tsx'
import { Actor } from '../user-link.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'

type Obstacle = Schemas['Obstacles']['items'][number]

/** Finds what keeps a user from signing in. Undefined until it is known. */
export const useObstacles = ({ id }: { id: string }) =>
  useGet('/api/admin/users/{id}/obstacles', { path: { id } }).value?.items

const kinds = {
  invitation: ['an invitation', '72 hours', 'reset-link'],
  recovery: ['a link for a new password', '30 minutes', 'reset-link'],
  enrolment: ['a link to set up a second factor', '24 hours', 'enrolment-link'],
  confirm: ['a link to confirm the address', '24 hours', 'verify-email']
} as const

/** Says that a mail with a link has gone out. */
export const sentLink = (kind: keyof typeof kinds, email: string) =>
  `Sent ${email} ${kinds[kind][0]}. It works for ${kinds[kind][1]}.`

interface SendLinkProps extends UserProps {
  kind: keyof typeof kinds
  label: string
}

/** Mails a link to a user; without mail, names the command that prints one. */
export function SendLink({ user: { id, email }, kind, label }: SendLinkProps) {
  const words = [[`user ${kinds[kind][2]}`, email]] as const
  if (!may('users:update')) return null
  if (!options.value?.passwordReset) return <CommandLine words={words} />
  const params = { path: { id } }
  return (
    <ActionButton
      label={label}
      words={words}
      call={() => portal.POST('/api/admin/users/{id}/link', { params, body: { kind } })}
      done={sentLink(kind, email)}
    />
  )
}

/** Deactivates a user, activates them again, or restores the account. */
export function Status({ user }: UserProps) {
  const { id, email, status, deleteAt } = user
  const name = shortName(user)
  const set = (next: typeof status): Promise<unknown> => {
    const params = { path: { id } }
    return change(
      portal.PATCH('/api/admin/users/{id}', { params, body: { status: next } }),
      deleteAt !== null
        ? `${name} can sign in again, and is not deleted.`
        : next === 'active'
          ? `${name} can sign in again.`
          : `${name} cannot sign in any more.`,
      deleteAt === null ? () => set(next === 'active' ? 'deactivated' : 'active') : undefined
    )
  }
  if (!may('users:update')) return null
  return status === 'active' ? (
    <ActionButton
      label="Deactivate"
      action={`Deactivate ${name}`}
      words={[['user deactivate', email]]}
      question={
        me.value?.id === id
          ? 'This is your own account. All your sessions end, also this one, and you cannot sign ' +
            'in until somebody else activates it again.'
          : `${name} cannot sign in until the account is activated again. All sessions end.`
      }
      onPress={() => set('deactivated')}
    />
  ) : (
    <ActionButton
      label={deleteAt === null ? 'Activate' : 'Restore'}
      words={[[deleteAt === null ? 'user reactivate' : 'user restore', email]]}
      onPress={() => set('active')}
    />
  )
}

/** Allows attempts to sign in again. */
export const ResetLimits = ({ user }: UserProps) =>
  may('users:update') && (
    <ActionButton
      label="Reset limits"
      words={[['user unthrottle', user.email]]}
      call={() =>
        portal.DELETE('/api/admin/users/{id}/rate-limits', { params: { path: { id: user.id } } })
      }
      done={`${shortName(user)} can try to sign in again. Limits of addresses still apply.`}
    />
  )

const Since = ({ of: { since, by } }: { of: Obstacle }) => (
  <>
    {by && (
      <>
        by <Actor of={by} />{' '}
      </>
    )}
    {since && <Ago at={since} />}
  </>
)

/** The obstacles that a link ends: title, link, button and consequence. */
const byLink = {
  invited: ['Invited, not yet accepted', 'invitation', 'Send again', ''],
  'no-password': ['No password yet', 'invitation', 'Send an invitation', 'Nobody can sign in yet.'],
  'email-unverified': ['Address not confirmed', 'confirm', 'Send link', 'It must be confirmed.'],
  'second-factor-missing': [
    ...(['Second factor required, and not set up', 'enrolment', 'Send link'] as const),
    'Roles that require one do not count until then.'
  ]
} as const

function Shown({ user, of: each }: UserProps & { of: Obstacle }) {
  const { code } = each
  const until = each.until && <Time at={each.until} />
  const since = <Since of={each} />
  if (code === 'deactivated' || code === 'deletion-planned') {
    return (
      <Row title={until ? <>Will be deleted {until}</> : 'Deactivated'} below={since}>
        <Status user={user} />
      </Row>
    )
  }
  if (code === 'too-many-attempts') {
    const below = (
      <>
        After {counted(each.attempts ?? 0, 'wrong attempt')}, the last one {since}
      </>
    )
    return (
      <Row title={<>Blocked until {until}</>} below={below}>
        <ResetLimits user={user} />
      </Row>
    )
  }
  const [title, kind, label, text] = byLink[code]
  const link = until ? <>The link works until {until}.</> : 'The link has expired.'
  const invited = (
    <>
      Invited {since}. {link}
    </>
  )
  return (
    <Row title={title} below={text || invited}>
      <SendLink {...{ user, kind, label }} />
    </Row>
  )
}

/** Says why a user cannot sign in, and offers what ends it: the newest reason first. */
export function Obstacles({ user }: UserProps) {
  const items = useObstacles(user) ?? []
  if (items.length === 0) return null
  return (
    <ul class="rows obstacles" aria-label={`What stops ${shortName(user)}`}>
      {items.map((each) => (
        <Shown key={each.code} user={user} of={each} />
      ))}
    </ul>
  )
}
