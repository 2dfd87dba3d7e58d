import { Link } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Table } from '../shared/table.tsx'
import type { Column } from '../shared/table.tsx'
import { Time } from '../shared/time.tsx'
import { Ask } from './ask.tsx'
import { CommandLine } from './command-line.tsx'
import { addressOf, Filters, FilterSelect, NewestFirst, Paging, useFilters } from './filters.tsx'
import { may } from './may.ts'
import { UserLink } from './user-link.tsx'

type Session = Schemas['Session']

export function Sessions() {
  const [filters, setFilters] = useFilters(['userId', 'state', 'sort'])
  const { state = 'active', userId, sort } = filters
  // All of them are asked for by name, because the first view is that of the live ones.
  const query = { ...filters, state: state === 'all' ? undefined : state, limit: 50 } as {
    state?: 'active' | 'expired' | 'revoked'
  }
  const sessions = useGet('/api/admin/sessions', { query })
  const mayEnd = may('sessions:revoke')
  const end = async (id: string) => {
    await ok(portal.DELETE('/api/admin/sessions/{id}', { params: { path: { id } } }))
    await sessions.reload()
  }
  const endAll = async (userId: string) => {
    await ok(portal.DELETE('/api/admin/sessions', { params: { query: { userId } } }))
    await sessions.reload()
  }
  return (
    <Page title="Sessions">
      <Filters values={{ ...filters, state }} onChange={setFilters}>
        <FilterSelect
          label="State"
          name="state"
          options={[
            ['active', 'Live'],
            ['expired', 'Expired'],
            ['revoked', 'Ended early'],
            ['all', 'Every state']
          ]}
        />
        <label>
          User id
          <input name="userId" maxLength={36} />
        </label>
        <NewestFirst orElse="createdAt" />
      </Filters>
      <div class="actions">
        <Action label="Reload" kind="outline" onPress={() => sessions.reload()} />
        {mayEnd && userId !== undefined && (
          <Ask
            label="End all sessions of this user"
            action="End all sessions"
            isDangerous
            onSubmit={() => endAll(userId)}
          >
            <p>
              <UserLink id={userId} /> is signed out of every device.
            </p>
            <CommandLine words={['session revoke', ['--user', userId]]} />
          </Ask>
        )}
      </div>
      <Loaded from={sessions}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Sessions"
              columns={[
                ...columns,
                ...(state === 'active' ? [] : [endedColumn]),
                ...(mayEnd ? [endColumn(end)] : [])
              ]}
              items={items}
              keyOf={({ id }) => id}
              empty="No session matches these filters."
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine
        words={[
          'session list',
          ['--user', userId],
          ['--state', state === 'all' ? undefined : state],
          ['--sort', sort]
        ]}
      />
    </Page>
  )
}

const columns: Column<Session>[] = [
  {
    title: 'User',
    cell: ({ userId }) => <UserLink id={userId} />
  },
  { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'Last request', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { title: 'Factors', cell: ({ assurance }) => assurance },
  { title: 'Address', cell: ({ ip }) => ip },
  { title: 'Browser', cell: ({ userAgent }) => userAgent },
  {
    title: 'Same user',
    cell: ({ userId }) => <Link href={addressOf('/sessions', { userId })}>all sessions</Link>
  }
]

const endedColumn: Column<Session> = {
  title: 'Ended',
  cell: ({ revokedAt: at, revokeReason }) =>
    at !== null && (
      <>
        <Time at={at} /> {revokeReason}
      </>
    )
}

const endColumn = (end: (id: string) => Promise<void>): Column<Session> => ({
  title: 'End',
  cell: ({ id, revokedAt, expiresAt }) =>
    revokedAt === null &&
    Date.parse(expiresAt) > Date.now() && <Action label="End" isDangerous onPress={() => end(id)} />
})
