import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Records } from '../activity/records.tsx'
import { CommandLine } from '../command-line.tsx'
import { addressOf } from '../list/address.ts'

/** The last activity records about a user, and those of what the user did. */
export const UserActivity = ({ user: { id, email } }: { user: Schemas['User'] }) => (
  <section>
    <h2>Activity</h2>
    <Part title="About this user" filter={{ targetId: id }} />
    <Part title="By this user" filter={{ actorId: id }} />
    <CommandLine words={['activity list', ['--target', email]]} />
  </section>
)

interface PartProps {
  title: string
  filter: { targetId?: string; actorId?: string }
}

function Part({ title, filter }: PartProps) {
  const records = useGet('/api/admin/activity', { query: { ...filter, limit: 10 } })
  return (
    <>
      <h3>{title}</h3>
      <Loaded from={records}>
        {({ items, nextCursor }) => (
          <>
            <Records
              label={title}
              items={items}
              empty="There are no records."
              heading="h4"
              filters={filter}
            />
            {nextCursor !== null && (
              <Link href={addressOf('/activity', filter)}>All records: {title}</Link>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
