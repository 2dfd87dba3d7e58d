import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { Empty } from '../list/empty.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { firstOf } from './revisions.ts'

type Stale = Schemas['StaleFlag']

const reasons: Record<Stale['reason'], string> = {
  disabled: 'Disabled',
  'rolled-out': 'Rolled out',
  'one-variant': 'One variant',
  unused: 'Unused'
}

/** Why flags are stale, by their keys. */
export const useStale = () =>
  useLoaded(['/api/admin/stale-flags'], async (signal) => {
    const stale = await firstOf(Infinity, (query) =>
      ok(portal.GET('/api/admin/stale-flags', { params: { query }, signal }))
    )
    return new Map(stale.map(({ key, reason }) => [key, reasons[reason]]))
  })

const columns: Column<Stale, 'key'>[] = [
  { title: 'Flag', cell: ({ key }) => <Link href={`/flags/${key}`}>{key}</Link>, sort: 'key' },
  { title: 'Stale', cell: ({ reason }) => reasons[reason] },
  { title: 'Everybody gets', cell: ({ variant }) => variant },
  { title: 'Last change', cell: ({ since }) => <Ago at={since} /> }
]

export function StaleFlags() {
  const list = useList('/api/admin/stale-flags', ['sort'])
  return (
    <ListView
      {...list}
      title="Stale flags"
      noun="stale flags"
      about="Not changed for 30 days, with nothing left to decide. Look for the keys in your code."
      show={{ columns, keyOf: ({ key }) => key }}
      orders={[['key', 'By key']]}
      empty={
        <Empty title="No flag is stale" command="portal flag stale">
          A flag appears here when it was not changed for 30 days, and everybody gets the same or no
          app asks for it.
        </Empty>
      }
      command={['flag stale']}
    />
  )
}
