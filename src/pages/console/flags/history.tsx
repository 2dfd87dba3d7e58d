import type { Schemas } from '../../shared/client.ts'
import { useEffect, useRef } from 'preact/hooks'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Time } from '../../shared/time.tsx'
import { Records } from '../activity/records.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'

/** The last changes of a flag. */
export function History({ flag: { key, updatedAt } }: { flag: Schemas['Flag'] }) {
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading">History</h2>
      {may('activity:read') ? (
        <Changes flagKey={key} since={updatedAt} />
      ) : (
        <p>
          Last changed <Time at={updatedAt} />. The permission <code>activity:read</code> shows who
          changed what.
        </p>
      )}
    </section>
  )
}

/** @param since when this changes, there is a new record */
function Changes({ flagKey, since }: { flagKey: string; since: string }) {
  const records = useGet('/api/admin/activity', { query: { targetId: flagKey, limit: 20 } })
  const before = useRef(since)
  useEffect(() => {
    if (before.current !== since) void records.reload()
    before.current = since
  }, [since])
  return (
    <>
      <Loaded from={records}>
        {({ items }) => (
          <Records
            label="Changes of the flag"
            // A role or a permission may have the same key.
            items={items.filter(({ targetType }) => targetType === 'flag')}
            empty="The activity has no record of this flag."
            filters={{ targetId: flagKey }}
          />
        )}
      </Loaded>
      <CommandLine words={['activity list', ['--target', flagKey]]} />
    </>
  )
}
