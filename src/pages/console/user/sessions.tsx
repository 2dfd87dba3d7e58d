import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Action } from '../../shared/form.tsx'
import { Loaded, renew, useGet } from '../../shared/load.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Time } from '../../shared/time.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import type { UserProps } from './props.ts'

/** The newest live sessions of a user. */
export function UserSessions({ user }: Pick<UserProps, 'user'>) {
  const { id: userId, email, name } = user
  const sessions = useGet('/api/admin/sessions', { query: { userId, state: 'active', limit: 50 } })
  const columns: Column<Schemas['Session']>[] = [
    { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
    { title: 'Second factor', cell: ({ assurance }) => (assurance === 2 ? 'proved' : 'no') },
    { title: 'Address', cell: ({ ip }) => ip },
    { title: 'Browser', cell: ({ userAgent }) => userAgent },
    {
      title: 'Change',
      cell: ({ id }) => (
        <Action
          label="End"
          isDangerous
          onPress={async () => {
            const path = { id }
            await ok(portal.DELETE('/api/admin/sessions/{id}', { params: { path } }))
            await renew()
          }}
        />
      )
    }
  ]
  return (
    <section>
      <h2>Sessions</h2>
      <Loaded from={sessions}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Sessions"
              columns={columns}
              items={items}
              keyOf={({ id }) => id}
              empty="This user is not signed in."
            />
            {nextCursor !== null && (
              <Link href={`/sessions?userId=${userId}`}>All sessions of this user</Link>
            )}
          </>
        )}
      </Loaded>
      <div class="actions">
        <Ask
          label="Sign out everywhere"
          isDangerous
          onSubmit={async () => {
            await ok(portal.DELETE('/api/admin/sessions', { params: { query: { userId } } }))
            await renew()
          }}
        >
          <p>Ends every session of {name}. Their next request is rejected.</p>
        </Ask>
      </div>
      <CommandLine words={['session revoke', ['--user', email]]} />
    </section>
  )
}
