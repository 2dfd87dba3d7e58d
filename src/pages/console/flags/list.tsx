import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Action } from '../../shared/form.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Time } from '../../shared/time.tsx'
import { CommandLine } from '../command-line.tsx'
import { Filters, FilterSelect, Paging, useFilters } from '../filters.tsx'
import { may } from '../may.ts'
import { DeleteFlag } from './delete.tsx'
import { drafts } from './drafts.ts'
import { percent } from './texts.ts'

type Flag = Schemas['Flag']

const columnsFor = (reload: () => Promise<void>): Column<Flag>[] => [
  {
    title: 'Key',
    cell: ({ key }) => (
      <>
        <Link href={`/flags/${key}`}>{key}</Link>
        {drafts.value.has(key) && <small> (unsaved changes)</small>}
      </>
    )
  },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Serves', cell: servedBy },
  { title: 'Public', cell: (flag) => (flag.public ? 'yes' : 'no') },
  { title: 'Last change', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    title: 'Switch',
    cell: (flag) => may('flags:update') && <Switch flag={flag} onSwitched={reload} />
  },
  {
    title: 'Delete',
    cell: ({ key }) => may('flags:delete') && <DeleteFlag flagKey={key} onDeleted={reload} />
  }
]

export function Flags() {
  const [filters, setFilters] = useFilters(['sort'])
  const query = { ...filters, limit: 50 } as { limit: number; sort?: 'key' | '-createdAt' }
  const flags = useGet('/api/admin/flags', { query })
  return (
    <Page title="Flags">
      {may('flags:create') && (
        <p>
          <Link href="/new-flag">Create a flag</Link>
        </p>
      )}
      <Filters values={filters} onChange={setFilters}>
        <FilterSelect
          label="Order"
          name="sort"
          options={[
            ['', 'By key'],
            ['-createdAt', 'Newest first']
          ]}
        />
      </Filters>
      <Loaded from={flags}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Flags"
              columns={columnsFor(flags.reload)}
              items={items}
              keyOf={({ key }) => key}
              empty="There are no flags."
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine words={['flag list', ['--sort', filters.sort]]} />
    </Page>
  )
}

function Switch({ flag: { key, state }, onSwitched }: { flag: Flag; onSwitched(): Promise<void> }) {
  const next = state === 'enabled' ? 'disabled' : 'enabled'
  return (
    <Action
      label={
        <>
          {next === 'enabled' ? 'Enable' : 'Disable'}
          <span class="unseen"> {key}</span>
        </>
      }
      kind="outline"
      onPress={async () => {
        const params = { path: { key } }
        await ok(portal.PATCH('/api/admin/flags/{key}', { params, body: { state: next } }))
        await onSwitched()
      }}
    />
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
      : serve.split.map(({ variant, weight }) => `${variant} ${percent(weight)} %`).join(', ')
  return before === 0 ? others : `${before} ${before === 1 ? 'rule' : 'rules'}, else ${others}`
}
