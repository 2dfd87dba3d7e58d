import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Table } from '../shared/table.tsx'
import type { Column } from '../shared/table.tsx'
import { Time } from '../shared/time.tsx'
import { CommandLine } from './command-line.tsx'
import { Filters, FilterSelect, NewestFirst, Paging, useFilters } from './filters.tsx'
import { may } from './may.ts'
import { UserLink } from './user-link.tsx'

type Mail = Schemas['OutboxMessage']

const states: Record<Mail['state'], string> = {
  pending: 'Pending',
  sent: 'Sent',
  dead: 'Dead: refused for good',
  dropped: 'Dropped: expired or without a recipient',
  caught: 'Caught: kept and not sent'
}

export function Outbox() {
  const [filters, setFilters] = useFilters(['state', 'sort'])
  const { state, sort } = filters
  const query = { ...filters, limit: 50 } as { limit: number; state?: Mail['state'] }
  const mail = useGet('/api/admin/outbox', { query })
  const mayRetry = may('outbox:retry')
  const retry = async (id: string) => {
    await ok(portal.POST('/api/admin/outbox/{id}/retry', { params: { path: { id } } }))
    await mail.reload()
  }
  const actions: Column<Mail> = {
    title: 'Retry',
    cell: ({ id, state }) =>
      (state === 'pending' || state === 'dead') && (
        <Action label="Retry" kind="outline" onPress={() => retry(id)} />
      )
  }
  return (
    <Page title="Mail">
      <Filters values={filters} onChange={setFilters}>
        <FilterSelect
          label="State"
          name="state"
          options={[['', 'Every state'], ...Object.entries(states)]}
        />
        <NewestFirst orElse="createdAt" />
      </Filters>
      <div class="actions">
        <Action label="Reload" kind="outline" onPress={() => mail.reload()} />
      </div>
      <Loaded from={mail}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Mail"
              columns={mayRetry ? [...columns, actions] : columns}
              items={items}
              keyOf={({ id }) => id}
              empty="No mail matches these filters."
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine words={['mail list', ['--state', state], ['--sort', sort]]} />
      <p class="command">
        To test the mail server: <code>portal mail test --to you@example.com</code>
      </p>
    </Page>
  )
}

const columns: Column<Mail>[] = [
  { title: 'Written', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Kind',
    // The portal shows the mail that it has caught at an address of its own.
    cell: ({ id, kind, state }) => (state === 'caught' ? <a href={`/mail/${id}`}>{kind}</a> : kind)
  },
  { title: 'User', cell: ({ userId }) => userId !== null && <UserLink id={userId} /> },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Attempts', cell: ({ attempts }) => attempts },
  { title: 'Last error', cell: ({ lastError }) => lastError },
  {
    title: 'Next or done',
    cell: ({ state, nextAt, doneAt }) => (
      <Time at={state === 'pending' ? nextAt : (doneAt ?? nextAt)} />
    )
  }
]
