import { useEffect, useRef } from 'preact/hooks'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import type { Loading } from '../../shared/load.tsx'
import { Time } from '../../shared/time.tsx'
import { Records } from '../activity/records.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'

/** Undefined for users who may not read the activity. */
export type FlagHistory = Loading<Schemas['LabelledActivityPage'] | undefined>

/** The last changes of a flag, which are loaded beside the flag itself. */
export function useHistory(key: string): FlagHistory {
  const params = { query: { targetId: key, limit: 20 } }
  return useLoaded(['/api/admin/activity', params], async (signal) =>
    may('activity:read') ? ok(portal.GET('/api/admin/activity', { params, signal })) : undefined
  )
}

interface HistoryProps {
  flag: Schemas['Flag']
  records: FlagHistory
}

export function History({ flag: { key, updatedAt }, records }: HistoryProps) {
  const before = useRef(updatedAt)
  useEffect(() => {
    // There is a new record.
    if (before.current !== updatedAt) void records.reload()
    before.current = updatedAt
  }, [updatedAt])
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading">History</h2>
      <Loaded from={records}>
        {(page) =>
          page ? (
            <>
              <Records
                label="Changes of the flag"
                // A role or a permission may have the same key.
                items={page.items.filter(({ targetType }) => targetType === 'flag')}
                empty="The activity has no record of this flag."
                filters={{ targetId: key }}
              />
              <CommandLine words={['activity list', ['--target', key]]} />
            </>
          ) : (
            <p>
              Last changed <Time at={updatedAt} />. The permission <code>activity:read</code> shows
              who changed what.
            </p>
          )
        }
      </Loaded>
    </section>
  )
}
