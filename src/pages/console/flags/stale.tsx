import { Link } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { renew, useLoaded } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ActionButton } from '../action-buttons.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { firstOf } from './revisions.ts'
import { DeleteFlag } from './parts.tsx'
import { Empty } from '../parts.tsx'

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

const actions: Column<Stale, never> = {
  title: 'Actions',
  rank: 'does',
  cell: ({ key }) => (
    <>
      {may('flags:update') && (
        <ActionButton
          words={['flag update', key, ['--file', 'changes.json']]}
          label="Mark as permanent"
          about={key}
          onPress={() => keep(key)}
        />
      )}
      {may('flags:delete') && (
        <DeleteFlag
          flagKey={key}
          onDeleted={async () => {
            await renew()
            report(`The flag ${key} is deleted.`)
          }}
        />
      )}
    </>
  )
}

/** Marks a flag as permanent: it is not reported any more. */
async function keep(key: string, permanent = true) {
  const params = { path: { key } }
  await ok(portal.PATCH('/api/admin/flags/{key}', { params, body: { permanent } }))
  await renew()
  if (permanent) report(`The flag ${key} is permanent.`, () => keep(key, false))
}

export function StaleFlags() {
  const list = useList('/api/admin/stale-flags', ['sort'])
  return (
    <ListView
      {...list}
      title="Stale flags"
      about={
        'Nobody has changed them for 30 days, and they are disabled, the same for everybody, or ' +
        'no app asks for them. Remove a flag from your code before you delete it.'
      }
      columns={[...columns, actions]}
      orders={['key']}
      empty={
        <Empty title="No flag is stale" command="portal flag stale">
          A flag appears here when it no longer makes a difference.
        </Empty>
      }
      command={['flag stale']}
    />
  )
}
