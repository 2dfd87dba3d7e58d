import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Paging, useFilters } from '../filters.tsx'
import { RoleFields, roleOf } from './role-fields.tsx'

const columns: Column<Schemas['Role']>[] = [
  { title: 'Role', cell: ({ key }) => <Link href={`/roles/${key}`}>{key}</Link> },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Second factor', cell: (role) => (role.requiresSecondFactor ? 'required' : 'no') },
  { title: 'Permissions', cell: ({ permissions }) => permissions.length }
]

export function Roles() {
  const [filters] = useFilters([])
  const [, navigate] = useLocation()
  const query = { ...filters, limit: 50 }
  const roles = useGet('/api/admin/roles', { query })
  return (
    <Page title="Roles">
      <div class="actions">
        <Ask
          label="Create a role"
          action="Create"
          onSubmit={async ({ key = '', ...fields }) => {
            await ok(portal.POST('/api/admin/roles', { body: { key, ...roleOf(fields) } }))
            navigate(`/roles/${key}`)
          }}
        >
          <Field
            label="Key"
            name="key"
            autocomplete="off"
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            title="Lowercase letters, digits and hyphens"
            hint="Lowercase letters, digits and hyphens. It cannot change later."
            required
            maxLength={64}
          />
          <RoleFields />
          <CommandLine words={['role create KEY --name NAME']} />
        </Ask>
      </div>
      <Loaded from={roles}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Roles"
              columns={columns}
              items={items}
              keyOf={({ key }) => key}
              empty="There are no roles."
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine words={['role list']} />
    </Page>
  )
}
