import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Time } from '../../shared/time.tsx'
import { Actor } from '../actor.tsx'
import { CommandLine } from '../command-line.tsx'
import type { UserProps } from './props.ts'

const columns: Column<Schemas['ActivityRecord']>[] = [
  { title: 'Time', cell: ({ at }) => <Time at={at} /> },
  { title: 'Action', cell: ({ action }) => <code>{action}</code> },
  { title: 'By', cell: (record) => <Actor of={record} /> },
  {
    title: 'Outcome',
    cell: ({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`)
  },
  {
    title: 'Details',
    cell: ({ details }) =>
      Object.entries(details)
        .map(
          ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`
        )
        .join(', ')
  }
]

/** The last activity records about a user, and those of what the user did. */
export const UserActivity = ({ user: { id, email } }: Pick<UserProps, 'user'>) => (
  <section>
    <h2>Activity</h2>
    <Records title="About this user" filter={{ targetId: id }} />
    <Records title="By this user" filter={{ actorId: id }} />
    <CommandLine words={['activity list', ['--target', email]]} />
  </section>
)

interface RecordsProps {
  title: string
  filter: { targetId: string } | { actorId: string }
}

function Records({ title, filter }: RecordsProps) {
  const query = { ...filter, limit: 10 }
  const records = useLoaded(() => ok(portal.GET('/api/admin/activity', { params: { query } })))
  return (
    <>
      <h3>{title}</h3>
      <Loaded from={records}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label={title}
              columns={columns}
              items={items}
              keyOf={({ id }) => id}
              empty="There is no record."
            />
            {nextCursor !== null && (
              <Link href={`/activity?${new URLSearchParams(filter)}`}>All records: {title}</Link>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
