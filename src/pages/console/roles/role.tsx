import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Facts } from '../facts.tsx'
import { Paging, useFilters } from '../filters.tsx'
import { Needs } from '../needs.tsx'
import { useRemembered } from '../search/recent.ts'
import { Matrix } from './matrix.tsx'
import { RoleFields, roleOf } from './role-fields.tsx'

export function Role({ role: key = '' }: Record<string, string | undefined>) {
  const loaded = useGet('/api/admin/roles/{key}', { path: { key } })
  const name = loaded.value?.name
  useRemembered(
    name === undefined
      ? undefined
      : { kind: 'role', path: `/roles/${key}`, title: name, detail: key }
  )
  return (
    <Page title={loaded.value?.name ?? 'Role'}>
      <Loaded from={loaded}>
        {(role) => (
          <>
            <Properties role={role} reload={loaded.reload} />
            <Needs permission="permissions:read" title="Permissions">
              <Granted role={role} />
            </Needs>
            <Needs permission="users:read" title="Members">
              <Members role={key} />
            </Needs>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Properties({ role, reload }: { role: Schemas['Role']; reload(): Promise<void> }) {
  const [, navigate] = useLocation()
  const { key, name } = role
  const params = { path: { key } }
  return (
    <section>
      <Facts
        of={{
          Key: <code>{key}</code>,
          Description: role.description,
          Counts: role.requiresSecondFactor ? 'only in sessions with a second factor' : 'always',
          Origin: role.system ? 'part of the portal' : 'created by an administrator'
        }}
      />
      <div class="actions">
        <Ask
          label="Edit"
          action="Save"
          onSubmit={async (fields) => {
            const body = Object.fromEntries(
              Object.entries(roleOf(fields)).filter(
                ([field, value]) => role[field as keyof Schemas['Role']] !== value
              )
            )
            if (Object.keys(body).length === 0) return
            await ok(portal.PATCH('/api/admin/roles/{key}', { params, body }))
            await reload()
          }}
        >
          <RoleFields role={role} />
        </Ask>
        {!role.system && (
          <Ask
            label="Delete"
            isDangerous
            onSubmit={async () => {
              await ok(portal.DELETE('/api/admin/roles/{key}', { params }))
              navigate('/roles')
            }}
          >
            <p>All users who have the role {name} lose it at once. This cannot be undone.</p>
            <CommandLine words={[['role delete', key]]} />
          </Ask>
        )}
      </div>
      <CommandLine words={[['role update', key], '--second-factor required']} />
    </section>
  )
}

/** All permissions, and whether the role has them. */
function Granted({ role }: { role: Schemas['Role'] }) {
  const loaded = useGet('/api/admin/permissions', { query: { limit: 200 } })
  return (
    <section>
      <h2>Permissions</h2>
      <Loaded from={loaded}>
        {({ items, nextCursor }) => (
          <>
            <Matrix permissions={items} roles={[role]} />
            {nextCursor !== null && (
              <p>
                These are the first 200. <Link href="/permissions">All permissions</Link>
              </p>
            )}
          </>
        )}
      </Loaded>
      <CommandLine words={[['role grant', role.key], 'PERMISSION']} />
    </section>
  )
}

const columns: Column<Schemas['User']>[] = [
  { title: 'Name', cell: ({ id, name }) => <Link href={`/users/${id}`}>{name}</Link> },
  { title: 'E-mail address', cell: ({ email }) => email },
  { title: 'Second factor', cell: ({ secondFactor }) => (secondFactor ? 'yes' : 'no') },
  { title: 'Status', cell: ({ status }) => status }
]

/** Who has the role. */
function Members({ role }: { role: string }) {
  const [filters] = useFilters([])
  const query = { ...filters, role, limit: 50 }
  const users = useGet('/api/admin/users', { query })
  return (
    <section>
      <h2>Members</h2>
      <Loaded from={users}>
        {({ items, nextCursor }) => (
          <>
            <Table
              label="Members"
              columns={columns}
              items={items}
              keyOf={({ id }) => id}
              empty="Nobody has this role."
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      <CommandLine words={['user list', ['--role', role]]} />
    </section>
  )
}
