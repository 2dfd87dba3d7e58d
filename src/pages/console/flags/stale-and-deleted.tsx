import { useLocation } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { actions } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { firstOf, readRevisions, writeAgain } from './revisions.ts'
import { Empty } from '../parts.tsx'
import { Actor } from '../user-link.tsx'
import { Difference } from './difference.tsx'
import type { Subject } from './revisions.ts'

/** Such as “rolled out”. */
const wordsOf = (reason: Schemas['StaleFlag']['reason']) =>
  reason === 'one-variant' ? 'the same for all' : reason.replace('-', ' ')

/** Why flags are stale, by their keys. */
export const useStale = () =>
  useLoaded(['/api/admin/stale-flags'], async (signal) => {
    const stale = await firstOf(Infinity, (query) =>
      ok(portal.GET('/api/admin/stale-flags', { params: { query }, signal }))
    )
    return new Map(stale.map(({ key, reason }) => [key, wordsOf(reason)]))
  })

type Deleted = Schemas['DeletedFlag']

const deletedColumns: Column<Deleted, 'key'>[] = [
  {
    title: 'Key',
    cell: ({ key }) => key,
    below: ({ kind }) => capital(kind),
    sort: 'key'
  },
  { title: 'Deleted', cell: ({ deletedAt }) => <Ago at={deletedAt} /> },
  {
    title: 'By',
    cell: ({ actorType, ...by }) => actorType && <Actor of={{ ...by, actorType }} />
  }
]

const restoring = actions<Deleted>((deleted) => <RestoreDeleted deleted={deleted} />)

export function DeletedFlags() {
  const mayRestore = may('flags:update') && may('flags:create')
  return (
    <ListView
      {...useList('/api/admin/deleted-flags', ['sort'])}
      title="Deleted flags and segments"
      noun="deleted flags"
      about="They can be restored, with their history."
      columns={mayRestore ? [...deletedColumns, restoring] : deletedColumns}
      keyOf={({ kind, key }) => `${kind} ${key}`}
      orders={['key']}
      empty={
        <Empty title="Nothing was deleted" command="portal flag list --deleted">
          Deleted flags and segments appear here, and can be restored as they were.
        </Empty>
      }
      command="flag list --deleted"
    />
  )
}

/** The last state before a deletion. */
const lastOf = async (subject: Subject, signal?: AbortSignal) =>
  (await readRevisions(subject, 2, signal))[1]

function RestoreDeleted({ deleted: { kind, key, version } }: { deleted: Deleted }) {
  const [, navigate] = useLocation()
  const restore = async () => {
    const last = await lastOf({ kind, key })
    // With the version of the deletion, exactly what was shown is restored.
    if (last) await writeAgain({ kind, key }, last.version, `"${version}"`)
    navigate(`/${kind}s/${key}`)
    report(`The ${kind} ${key} is restored.`)
  }
  return (
    <ConfirmButton label="Restore" about={key} onSubmit={restore} words={[`${kind} restore`, key]}>
      <Last of={{ kind, key }} />
    </ConfirmButton>
  )
}

function Last({ of: subject }: { of: Subject }) {
  const last = useLoaded(['/api/admin', 'last', subject], (signal) => lastOf(subject, signal))
  return (
    <Loaded from={last}>
      {(revision) => <Difference before={null} after={revision?.definition ?? null} />}
    </Loaded>
  )
}
