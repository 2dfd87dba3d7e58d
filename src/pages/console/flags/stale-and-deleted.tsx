import { useLocation } from 'wouter-preact'
import { Link } from '../../shared/link.tsx'
import { capital } from '../../shared/capital.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, reloadAll, useLoaded } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ActionButton, ConfirmButton } from '../action-buttons.tsx'
import { actions } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { firstOf, readRevisions, writeAgain } from './revisions.ts'
import { Delete } from './parts.tsx'
import { Empty } from '../parts.tsx'
import { Actor } from '../user-link.tsx'
import { Difference } from './difference.tsx'
import type { Subject } from './revisions.ts'

type Stale = Schemas['StaleFlag']

/** Such as “Rolled out”. */
const wordsOf = (reason: Stale['reason']) =>
  reason === 'one-variant' ? 'The same for all' : capital(reason.replace('-', ' '))

/** Why flags are stale, by their keys. */
export const useStale = () =>
  useLoaded(['/api/admin/stale-flags'], async (signal) => {
    const stale = await firstOf(Infinity, (query) =>
      ok(portal.GET('/api/admin/stale-flags', { params: { query }, signal }))
    )
    return new Map(stale.map(({ key, reason }) => [key, wordsOf(reason)]))
  })

const columns: Column<Stale, 'key'>[] = [
  { title: 'Flag', cell: ({ key }) => <Link href={`/flags/${key}`}>{key}</Link>, sort: 'key' },
  { title: 'Why', cell: ({ reason }) => wordsOf(reason) },
  { title: 'Everybody gets', cell: ({ variant }) => variant },
  { title: 'Last change', cell: ({ since }) => <Ago at={since} />, rank: 'less' }
]

const actionsColumn = actions<Stale>(({ key }) => (
  <>
    {may('flags:update') && (
      <ActionButton
        words={['flag update', key, ['--file', 'changes.json']]}
        label="Mark as permanent"
        about={key}
        onPress={() => keep(key)}
      />
    )}
    {may('flags:delete') && <Delete of={{ kind: 'flag', key }} onDeleted={reloadAll} />}
  </>
))

/** Marks a flag as permanent: it is not reported any more. */
async function keep(key: string, permanent = true) {
  const params = { path: { key } }
  await ok(portal.PATCH('/api/admin/flags/{key}', { params, body: { permanent } }))
  await reloadAll()
  if (permanent) report(`The flag ${key} is permanent.`, () => keep(key, false))
}

export const StaleFlags = () => (
  <ListView
    {...useList('/api/admin/stale-flags', ['sort'])}
    title="Stale flags"
    about={
      'Nobody has changed them for 30 days, and they are disabled, the same for everybody, or ' +
      'no app asks for them. Remove a flag from your code before you delete it.'
    }
    columns={[...columns, actionsColumn]}
    orders={['key']}
    empty={
      <Empty title="No flag is stale" command="portal flag stale">
        A flag appears here when it no longer makes a difference.
      </Empty>
    }
    command={['flag stale']}
  />
)

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
