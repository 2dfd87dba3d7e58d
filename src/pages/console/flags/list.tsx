import { Link } from 'wouter-preact'
import { upcomingChanges } from '../../../common/upcoming-changes.ts'
import type { Schemas } from '../../shared/client.ts'
import { Choice, Field } from '../../shared/controls.tsx'
import { reloadAll } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { actions } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView, optionsOf } from '../list/view.tsx'
import { counted } from '../grouped.ts'
import { may } from '../may.ts'
import { CreateLink, State, Switch } from './parts.tsx'
import { isDraft } from './editing.ts'
import { useStale } from './stale-and-deleted.tsx'
import { percent } from './when-form.ts'
import { Empty } from '../parts.tsx'

type Flag = Schemas['Flag']

const columnsWith = (stale: ReadonlyMap<string, string> = new Map()): Column<Flag, 'key'>[] => [
  {
    title: 'Flag',
    cell: ({ key, state, public: isPublic }) => (
      <>
        <Link href={`/flags/${key}`}>{key}</Link>{' '}
        {stale.has(key) && (
          <span
            class="chip warn"
            title="Not changed for 30 days. Remove it from your code before you delete it."
          >
            Stale{state === 'enabled' && `: ${stale.get(key)}`}
          </span>
        )}{' '}
        {isPublic && <span class="chip">Public</span>}{' '}
        {isDraft({ kind: 'flag', key }) && <span class="chip warn">Unsaved changes</span>}
      </>
    ),
    below: ({ description }) => description,
    sort: 'key'
  },
  {
    title: 'State',
    cell: (flag) => <State of={flag} />
  },
  { title: 'Serves', cell: servedBy },
  { title: 'Type', cell: ({ type }) => type, rank: 'less' },
  { title: 'Last change', cell: ({ updatedAt }) => <Ago at={updatedAt} />, below: nextChange }
]

const actionsColumn = actions<Flag>((flag) => <Switch flag={flag} onTurned={reloadAll} />)

export function Flags() {
  const list = useList('/api/admin/flags', ['q', 'state', 'type', 'sort'])
  const { value: stale } = useStale()
  const create = <CreateLink kind="flag" />
  return (
    <ListView
      {...list}
      title="Flags"
      about={
        <span class="summary">
          <span>Flags turn features on for everybody, or for some users.</span>
          <Link href="/deleted-flags">Deleted flags</Link>
          {!!stale?.size && <Link href="/flags?state=stale">Stale flags ({stale.size})</Link>}
        </span>
      }
      action={create}
      columns={[...columnsWith(stale), ...(may('flags:update') ? [actionsColumn] : [])]}
      fields={
        <>
          <Field label="Key or description" name="q" type="search" maxLength={254} />
          <Choice
            label="State"
            name="state"
            options={optionsOf('All', 'enabled', 'disabled', 'stale')}
          />
          <Choice
            label="Type"
            name="type"
            options={optionsOf('All', 'boolean', 'string', 'number', 'object')}
          />
        </>
      }
      orders={['key', '-createdAt']}
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
      command="flag list"
    />
  )
}

function nextChange(flag: Flag) {
  const [next] = upcomingChanges(flag, Date.now())
  return (
    next && (
      <>
        next change <Ago at={next.at.toISOString()} />
      </>
    )
  )
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
      : serve.split.map(({ variant, weight }) => `${variant} ${percent(weight)}\u00A0%`).join(', ')
  return before === 0 ? others : `${counted(before, 'rule')}, else ${others}`
}
