import { browserOf } from '../../common/browsers.ts'
import { portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Choice, Field } from '../shared/controls.tsx'
import { useGet } from '../shared/load.tsx'
import { user as me } from '../shared/session.ts'
import { Ago } from '../shared/time.tsx'
import { ConfirmButton, ActionButton } from './action-buttons.tsx'
import { UserFilter } from './list/user-filter.tsx'
import { actions, begun } from './list/table.tsx'
import type { Column } from './list/table.tsx'
import { useList } from './list/use-list.ts'
import { ListView, wordsOf } from './list/view.tsx'
import { may } from './may.ts'
import { shortName } from './user/short-name.ts'
import { UserLink } from './user-link.tsx'
import { Empty } from './parts.tsx'

type Session = Schemas['Session']

/** All of them are asked for by name, because the view begins with the live ones. */
const isAll = (state: string) => state === 'all'

export function Sessions() {
  const list = useList(
    '/api/admin/sessions',
    ['userId', 'state', 'ip', 'sort'],
    ({ state = 'active', ...others }) => ({ ...others, ...(!isAll(state) && { state }) })
  )
  const { state = 'active', userId, ip, sort } = list.filters
  const mayEnd = may('sessions:revoke')
  return (
    <ListView
      {...list}
      title="Sessions"
      about="The browsers in which people are signed in. Ending a session counts at once."
      inputs={{ ...list.filters, state }}
      onFilter={({ state, ...others }, isTyped) =>
        list.onFilter({ ...others, ...(state !== 'active' && { state }) }, isTyped)
      }
      fields={
        <>
          <UserFilter label="User" name="userId" value={userId} />
          <Field label="Network address" name="ip" placeholder="203.0.113.0/24" maxLength={49} />
          <Choice
            label="State"
            name="state"
            options={[
              ['active', 'Live'],
              ['expired', 'Expired'],
              ['revoked', 'Ended early'],
              ['all', 'Every state']
            ]}
          />
        </>
      }
      tools={
        mayEnd &&
        userId !== undefined && (
          <ConfirmButton
            label="End all sessions of this user"
            action="End all sessions"
            isDangerous
            words={['session revoke', ['--user', userId]]}
            call={() => portal.DELETE('/api/admin/sessions', { params: { query: { userId } } })}
            done="All sessions of the user have ended."
          >
            <p>
              <UserLink id={userId} /> is signed out of every device.
            </p>
          </ConfirmButton>
        )
      }
      columns={[userColumn, ...sessionColumns(state !== 'active')]}
      orders={['-createdAt', 'createdAt']}
      empty={
        <Empty title="Nobody is signed in" command="portal session list --state active">
          The sessions of all users appear here. A session can be ended, which signs its browser
          out.
        </Empty>
      }
      command={['session list', ...wordsOf({ userId, ...(!isAll(state) && { state }), ip, sort })]}
    />
  )
}

const userColumn: Column<Session, never> = {
  title: 'User',
  cell: ({ userId, user }) => <UserLink id={userId} user={user} />,
  below: ({ user }) => user?.email
}

/** The columns of sessions of one user. */
export const sessionColumns = (hasEnded = false): Column<Session, 'createdAt'>[] => [
  {
    title: 'Browser',
    cell: ({ id, userId, userAgent }) => (
      <>
        <span title={userAgent ?? undefined}>{browserOf(userAgent) ?? 'Unknown browser'}</span>{' '}
        {userId === me.value?.id && <Current id={id} />}
      </>
    ),
    below: ({ ip }) => ip
  },
  {
    title: 'Second factor',
    cell: ({ assurance }) => (assurance === 2 ? <span class="chip">Used</span> : 'Not used'),
    rank: 'less'
  },
  { title: 'Last request', cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
  begun('Signed in', 'less'),
  ...(hasEnded ? [endedColumn] : []),
  ...(may('sessions:revoke') ? [endColumn] : [])
]

/** Marks the session that this page uses. */
function Current({ id }: { id: string }) {
  const { value } = useGet('/api/user/sessions', {})
  const isCurrent = value?.items.some((own) => own.current && own.id === id)
  return isCurrent ? <span class="chip chosen">This session</span> : null
}

const endedColumn: Column<Session, never> = {
  title: 'Ended',
  cell: (session) => !isLive(session) && <Ago at={session.revokedAt ?? session.expiresAt} />,
  below: (session) => !isLive(session) && (session.revokeReason ?? 'expired')
}

const isLive = ({ revokedAt, expiresAt }: Session) =>
  revokedAt === null && Date.parse(expiresAt) > Date.now()

const endColumn = actions<Session>((session) => isLive(session) && <EndSession session={session} />)

/** Ends a session. A reader's own one is only ended after a question. */
function EndSession({ session: { id, userId, user, userAgent } }: { session: Session }) {
  const browser = browserOf(userAgent) ?? 'an unknown browser'
  const isMine = userId === me.value?.id
  return (
    <ActionButton
      label="End"
      words={['session revoke', id]}
      call={() => portal.DELETE('/api/admin/sessions/{id}', { params: { path: { id } } })}
      done={`The session${user ? ` of ${shortName(user)}` : ''} in ${browser} has ended.`}
      about={isMine ? undefined : `the session of ${user?.name ?? ''} in ${browser}`}
      action="End my session"
      question={
        isMine &&
        'This is your own session. ' +
          'If it is the one that you use now, you have to sign in again.'
      }
    />
  )
}
