import { Link } from 'wouter-preact'
import { portal } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { user as me } from '../../shared/session.ts'
import { facts } from '../operator/facts.ts'
import { ActionButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { counted } from '../grouped.ts'
import { Table } from '../list/table.tsx'
import { sessionColumns } from '../sessions.tsx'
import { change } from '../shell/status.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'

/** The newest live sessions of a user. */
export function UserSessions({ user }: UserProps) {
  const { id: userId, email } = user
  const query = { userId, state: 'active', limit: 50 } as const
  const sessions = useGet('/api/admin/sessions', { query })
  const { items: { length: count } = [], nextCursor = null } = sessions.value ?? {}
  return (
    <section>
      <div class="head">
        <h2>{nextCursor === null ? counted(count, 'live session') : 'Live sessions'}</h2>
        {me.value?.id === userId && !facts.value && <EndOthers />}
      </div>
      <Loaded from={sessions}>
        {({ items }) => (
          <Table
            label="Sessions"
            columns={sessionColumns()}
            items={items}
            empty={`The browsers in which ${shortName(user)} is signed in appear here.`}
          />
        )}
      </Loaded>
      {nextCursor !== null && (
        <Link href={`/sessions?userId=${userId}`}>All sessions of this user</Link>
      )}
      <CommandLine words={['session list', ['--user', email]]} />
    </section>
  )
}

/** Ends the sessions of the signed-in user except the one in use. */
const EndOthers = () => (
  <ActionButton
    label="End all others"
    words={['session revoke']}
    onPress={() => change(portal.DELETE('/api/user/sessions'), 'All other sessions have ended.')}
  />
)
