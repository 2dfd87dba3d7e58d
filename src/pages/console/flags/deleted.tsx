import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { Actor } from '../actor.tsx'
import { Ask } from '../ask.tsx'
import { Empty } from '../list/empty.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { Difference } from './difference.tsx'
import { writeAgain } from './restore.tsx'

type Deleted = Schemas['DeletedFlag']

const columns: Column<Deleted, 'key'>[] = [
  { title: 'Flag', cell: ({ key }) => key, sort: 'key' },
  { title: 'Deleted', cell: ({ deletedAt }) => <Ago at={deletedAt} /> },
  {
    title: 'By',
    cell: ({ actorType, ...by }) => actorType && <Actor of={{ ...by, actorType }} />
  }
]

const restoring: Column<Deleted, never> = {
  title: 'Actions',
  rank: 'does',
  cell: (deleted) => <RestoreDeleted deleted={deleted} />
}

export function DeletedFlags() {
  const list = useList('/api/admin/deleted-flags', ['sort'])
  const mayRestore = may('flags:update') && may('flags:create')
  return (
    <ListView
      {...list}
      title="Deleted flags"
      noun="deleted flags"
      about="Flags that can be restored, with their history."
      show={{ columns: mayRestore ? [...columns, restoring] : columns, keyOf: ({ key }) => key }}
      orders={[['key', 'By key']]}
      empty={
        <Empty title="No flag was deleted" command="portal flag list --deleted">
          A deleted flag appears here, and can be restored as it was.
        </Empty>
      }
      command={['flag list', '--deleted']}
    />
  )
}

/** The last state before a deletion. */
async function lastOf(key: string, signal?: AbortSignal) {
  const params = { path: { key }, query: { limit: 2 } }
  const { items } = await ok(
    portal.GET('/api/admin/flags/{key}/revisions', { params, ...(signal && { signal }) })
  )
  return items[1]
}

function RestoreDeleted({ deleted: { key, version } }: { deleted: Deleted }) {
  const [, navigate] = useLocation()
  const restore = async () => {
    const last = await lastOf(key)
    // Of the deletion, so that what was shown is what is restored.
    if (last) await writeAgain(key, last.version, `"${version}"`)
    navigate(`/flags/${key}`)
    report(`The flag ${key} is restored.`)
  }
  return (
    <Ask label="Restore" about={key} onSubmit={restore} words={['flag restore', key]}>
      <Last flagKey={key} />
    </Ask>
  )
}

function Last({ flagKey: key }: { flagKey: string }) {
  const last = useLoaded(['/api/admin/flags', key, 'last'], (signal) => lastOf(key, signal))
  return (
    <Loaded from={last}>
      {(revision) => <Difference before={null} after={revision?.definition ?? null} />}
    </Loaded>
  )
}
