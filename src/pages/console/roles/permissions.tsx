import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Time } from '../../shared/time.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Paging, useFilters } from '../filters.tsx'
import { Needs } from '../needs.tsx'
import { Matrix } from './matrix.tsx'

/** All permissions, and which roles have them. */
export function Permissions() {
  const [filters] = useFilters([])
  const query = { ...filters, limit: 50 }
  const loaded = useGet('/api/admin/permissions', { query })
  const { reload } = loaded
  const columns: Column<Schemas['Permission']>[] = [
    { title: 'Permission', cell: ({ key }) => <code>{key}</code> },
    { title: 'Description', cell: ({ description }) => description },
    { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Change',
      cell: (permission) => <Change permission={permission} reload={reload} />
    }
  ]
  return (
    <Page title="Permissions">
      <Create reload={reload} />
      <Loaded from={loaded}>
        {({ items, nextCursor }) => (
          <>
            <Needs permission="roles:read" title="Permissions by role">
              <Grants permissions={items} />
            </Needs>
            <section>
              <h2>Descriptions</h2>
              <Table
                label="Permissions"
                columns={columns}
                items={items}
                keyOf={({ key }) => key}
                empty="There are no permissions."
              />
            </section>
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine words={['permission list']} />
    </Page>
  )
}

function Grants({ permissions }: { permissions: Schemas['Permission'][] }) {
  const roles = useGet('/api/admin/roles', { query: { limit: 50 } })
  return (
    <section>
      <h2>Permissions by role</h2>
      <p>A change takes effect at once. The role admin has every permission.</p>
      <Loaded from={roles}>
        {({ items, nextCursor }) => (
          <>
            <Matrix permissions={permissions} roles={items} />
            {nextCursor !== null && (
              <p>These are the first 50 roles. The page of a role shows its permissions.</p>
            )}
          </>
        )}
      </Loaded>
      <CommandLine words={['role grant ROLE PERMISSION']} />
    </section>
  )
}

interface Reloading {
  reload(): Promise<void>
}

const Description = ({ value }: { value?: string }) => (
  <Field
    label="Description"
    name="description"
    autocomplete="off"
    maxLength={300}
    defaultValue={value ?? ''}
  />
)

const Create = ({ reload }: Reloading) => (
  <div class="actions">
    <Ask
      label="Create a permission"
      action="Create"
      onSubmit={async ({ key = '', description = '' }) => {
        await ok(portal.POST('/api/admin/permissions', { body: { key, description } }))
        await reload()
      }}
    >
      <Field
        label="Key"
        name="key"
        autocomplete="off"
        pattern="[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*"
        title="A noun and a verb, such as invoices:read"
        hint="A noun and a verb, such as invoices:read. It cannot change later."
        required
        maxLength={80}
      />
      <Description />
      <CommandLine words={['permission create KEY --description TEXT']} />
    </Ask>
  </div>
)

/** What can be changed about a permission: nothing about those of the portal. */
function Change({
  permission: { key, description, system },
  reload
}: Reloading & { permission: Schemas['Permission'] }) {
  const params = { path: { key } }
  if (system) return 'part of the portal'
  return (
    <div class="actions">
      <Ask
        label="Edit"
        action="Save"
        onSubmit={async (body) => {
          await ok(portal.PATCH('/api/admin/permissions/{key}', { params, body }))
          await reload()
        }}
      >
        <Description value={description} />
      </Ask>
      <Ask
        label="Delete"
        isDangerous
        onSubmit={async () => {
          await ok(portal.DELETE('/api/admin/permissions/{key}', { params }))
          await reload()
        }}
      >
        <p>
          Removes <code>{key}</code> from every role, and all users lose it at once.
        </p>
        <CommandLine words={[['permission delete', key]]} />
      </Ask>
    </div>
  )
}
