import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Table } from '../shared/table.tsx'
import type { Column } from '../shared/table.tsx'
import { Time } from '../shared/time.tsx'
import { CommandLine } from './command-line.tsx'
import { CreateUser } from './user/create.tsx'
import { Filters, FilterSelect, Paging, useFilters } from './filters.tsx'

const columns: Column<Schemas['User']>[] = [
  { title: 'Name', cell: ({ id, name }) => <Link href={`/users/${id}`}>{name}</Link> },
  { title: 'E-mail address', cell: ({ email }) => email },
  { title: 'Confirmed', cell: ({ emailVerified }) => (emailVerified ? 'yes' : 'no') },
  { title: 'Second factor', cell: ({ secondFactor }) => (secondFactor ? 'yes' : 'no') },
  { title: 'Status', cell: ({ status }) => status },
  { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
  {
    title: 'Last sign-in',
    cell: ({ lastLoginAt: at }) => (at === null ? 'never' : <Time at={at} />)
  }
]

export function Users() {
  const [filters, setFilters] = useFilters(['q', 'status', 'role'])
  const query = { ...filters, limit: 50 } as { limit: number; status?: Schemas['User']['status'] }
  const users = useGet('/api/admin/users', { query })
  return (
    <Page title="Users">
      <Filters values={filters} onChange={setFilters}>
        <label>
          Name or e-mail address
          <input type="search" name="q" maxLength={254} />
        </label>
        <FilterSelect
          label="Status"
          name="status"
          options={[
            ['', 'Every status'],
            ['active', 'Active'],
            ['deactivated', 'Deactivated']
          ]}
        />
        <label>
          Role
          <input name="role" maxLength={80} />
        </label>
      </Filters>
      <CreateUser />
      <Loaded from={users}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Users"
              columns={columns}
              items={items}
              keyOf={({ id }) => id}
              empty="No user matches these filters."
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine
        words={[
          'user list',
          ['--q', filters.q],
          ['--status', filters.status],
          ['--role', filters.role]
        ]}
      />
    </Page>
  )
}
