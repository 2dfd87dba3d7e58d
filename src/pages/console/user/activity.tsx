import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { joined } from '../activity/joined.ts'
import { Records } from '../activity/records.tsx'
import { CommandLine } from '../command-line.tsx'
import type { Word } from '../command-line.tsx'
import { addressOf } from '../list/address.ts'

/** The last activity records about a user, and those of what the user did. */
export const UserActivity = ({ user: { id, email } }: { user: Schemas['User'] }) => (
  <section>
    <Part id={id} title="About this user" filter={{ targetId: id }} word={['--target', email]} />
    <Part id={id} title="By this user" filter={{ actorId: id }} word={['--actor', email]} />
  </section>
)

interface PartProps {
  id: string
  title: string
  filter: { targetId?: string; actorId?: string }
  /** Of the command line. */
  word: Word
}

function Part({ id, title, filter, word }: PartProps) {
  const records = useGet('/api/admin/activity', { query: { ...filter, limit: 50 } })
  return (
    <section>
      <h2>{title}</h2>
      <Loaded from={records}>
        {({ items, nextCursor }) => {
          // What the user did is in the other part.
          const shown = joined(items.filter(({ actorId }) => filter.actorId || actorId !== id))
          return (
            <>
              <Records
                label={title}
                items={shown.slice(0, 10)}
                empty="No recent records."
                filters={filter}
              />
              {(nextCursor !== null || shown.length > 10) && (
                <Link href={addressOf('/activity', filter)}>All records {title.toLowerCase()}</Link>
              )}
              <CommandLine words={['activity list', word]} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
