import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Table } from '../list/table.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Facts } from '../facts.tsx'
import { Paging } from '../list/paging.tsx'
import { useList } from '../list/use-list.ts'
import { may } from '../may.ts'
import { Needs } from '../needs.tsx'
import { useRemembered } from '../search/recent.ts'
import { userColumns } from '../users.tsx'
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
        {may('roles:update') && (
          <Ask
            label="Edit"
            action="Save"
            words={[['role update', key], '--name NAME']}
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
        )}
        {!role.system && may('roles:delete') && (
          <Ask
            label="Delete"
            isDangerous
            words={[['role delete', key]]}
            onSubmit={async () => {
              await ok(portal.DELETE('/api/admin/roles/{key}', { params }))
              navigate('/roles')
            }}
          >
            <p>All users who have the role {name} lose it at once. This cannot be undone.</p>
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

/** Who has the role. */
function Members({ role }: { role: string }) {
  const { filters, from } = useList('/api/admin/users', [], (filters) => ({ ...filters, role }))
  return (
    <section>
      <h2>Members</h2>
      <Loaded from={from}>
        {({ items }) => (
          <>
            <Table
              label="Members"
              columns={userColumns}
              items={items}
              keyOf={({ id }) => id}
              empty="Nobody has this role."
            />
            <Paging {...{ from, filters }} noun="members" />
          </>
        )}
      </Loaded>
      <CommandLine words={['user list', ['--role', role]]} />
    </section>
  )
}
