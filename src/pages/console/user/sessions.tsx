import { Link } from 'wouter-preact'
import { portal } from '../../shared/client.ts'
import { useGet } from '../../shared/load.tsx'
import { user as me } from '../../shared/session.ts'
import { facts } from '../operator/facts.ts'
import { ActionButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { counted } from '../grouped.ts'
import { LoadedTable } from '../list/paging.tsx'
import { sessionColumns } from '../sessions.tsx'
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
        {me.value?.id === userId && !facts.value && (
          <ActionButton
            label="End all others"
            words={['session revoke']}
            call={() => portal.DELETE('/api/user/sessions')}
            done="All other sessions have ended."
          />
        )}
      </div>
      <LoadedTable
        label="Sessions"
        columns={sessionColumns()}
        from={sessions}
        empty={`The browsers in which ${shortName(user)} is signed in appear here.`}
      />
      {nextCursor !== null && (
        <Link href={`/sessions?userId=${userId}`}>All sessions of this user</Link>
      )}
      <CommandLine words={['session list', ['--user', email]]} />
    </section>
  )
}
