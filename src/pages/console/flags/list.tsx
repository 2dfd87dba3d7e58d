import { Link } from 'wouter-preact'
import { changesAhead } from '../../../domain/flags/times.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { renew } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { Empty } from '../list/empty.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Change, Locked } from '../locked.tsx'
import { may, mayWrite } from '../may.ts'
import { report } from '../shell/status.tsx'
import { DeleteFlag } from './delete.tsx'
import { drafts } from './drafts.ts'
import { useStale } from './stale.tsx'
import { percent } from './texts.ts'

type Flag = Schemas['Flag']

const columns: Column<Flag, 'key'>[] = [
  {
    title: 'Flag',
    cell: ({ key }) => (
      <>
        <Link href={`/flags/${key}`}>{key}</Link>{' '}
        {drafts.value.has(key) && <span class="chip warn">Unsaved changes</span>}
      </>
    ),
    below: ({ description }) => description,
    sort: 'key'
  },
  {
    title: 'State',
    cell: ({ state }) =>
      state === 'enabled' ? (
        <span class="chip good">Enabled</span>
      ) : (
        <span class="chip">Disabled</span>
      )
  },
  { title: 'Serves', cell: servedBy },
  {
    title: 'Type',
    cell: ({ type, ...flag }) => (flag.public ? `${type}, public` : type),
    rank: 'less'
  },
  { title: 'Last change', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  { title: 'Next change', cell: nextChange, rank: 'less' }
]

const staleColumn = (stale: ReadonlyMap<string, string>): Column<Flag, never> => ({
  title: 'Stale',
  rank: 'less',
  cell: ({ key }) => stale.has(key) && <span class="chip warn">{stale.get(key)}</span>
})

const actionsColumn: Column<Flag, never> = {
  title: 'Actions',
  rank: 'does',
  cell: (flag) => (
    <>
      {may('flags:update') && <Switch flag={flag} />}
      {may('flags:delete') && (
        <DeleteFlag
          flagKey={flag.key}
          onDeleted={async () => {
            await renew()
            report(`The flag ${flag.key} is deleted.`)
          }}
        />
      )}
    </>
  )
}

export function Flags() {
  const list = useList('/api/admin/flags', ['sort'])
  const { value: stale } = useStale()
  const shown = stale?.size ? [...columns, staleColumn(stale)] : columns
  const create =
    may('flags:create') &&
    (mayWrite() ? (
      <Link href="/new-flag" role="button">
        Create a flag
      </Link>
    ) : (
      <Locked label="Create a flag" words={['flag create', ['--file', 'flag.json']]} />
    ))
  return (
    <ListView
      {...list}
      title="Flags"
      noun="flags"
      about="Features that are on for some users, and change without a new version of the app."
      action={create}
      tools={
        <p class="summary">
          <Link href="/stale-flags">Stale flags{stale && ` (${stale.size})`}</Link>
          <Link href="/deleted-flags">Deleted flags</Link>
        </p>
      }
      show={{
        columns: may('flags:update') || may('flags:delete') ? [...shown, actionsColumn] : shown,
        keyOf: ({ key }) => key
      }}
      orders={[
        ['key', 'By key'],
        ['-createdAt', 'Newest first']
      ]}
      empty={
        <Empty
          title="There are no flags"
          command="portal flag create new-checkout --type boolean"
          action={create}
        >
          A flag turns a feature on for some users, roles or shares, without a new version of the
          app.
        </Empty>
      }
      command={['flag list', ['--sort', list.filters.sort]]}
    />
  )
}

function Switch({ flag: { key, state } }: { flag: Flag }) {
  const set = async (state: Flag['state'], isUndone = false) => {
    await ok(portal.PATCH('/api/admin/flags/{key}', { params: { path: { key } }, body: { state } }))
    await renew()
    const other = state === 'enabled' ? 'disabled' : 'enabled'
    report(`The flag ${key} is ${state}.`, isUndone ? undefined : () => set(other, true))
  }
  const next = state === 'enabled' ? 'disabled' : 'enabled'
  return (
    <Change
      words={[`flag ${next === 'enabled' ? 'enable' : 'disable'}`, key]}
      label={
        <>
          {next === 'enabled' ? 'Enable' : 'Disable'}
          <span class="unseen"> {key}</span>
        </>
      }
      kind="outline"
      onPress={() => set(next)}
    />
  )
}

function nextChange(flag: Flag) {
  const [next] = changesAhead(flag, Date.now())
  return next && <Ago at={next.at.toISOString()} />
}

/** A summary of a flag: the number of rules, then the variant for everybody else. */
function servedBy({ state, rules, offVariant, defaultVariant }: Flag) {
  if (state === 'disabled') return offVariant
  const last = rules.findIndex(({ when }) => Object.keys(when).length === 0)
  const before = last < 0 ? rules.length : last
  const serve = rules[last]?.serve ?? { variant: defaultVariant }
  const others =
    'variant' in serve
      ? serve.variant
      : serve.split.map(({ variant, weight }) => `${variant} ${percent(weight)} %`).join(', ')
  return before === 0 ? others : `${before} ${before === 1 ? 'rule' : 'rules'}, else ${others}`
}
