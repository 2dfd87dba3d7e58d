import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Action, Form } from '../../shared/form.tsx'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { Table } from '../../shared/table.tsx'
import type { Column } from '../../shared/table.tsx'
import { Time } from '../../shared/time.tsx'
import { Actor } from '../actor.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'
import type { UserProps } from './props.ts'

type Role = Schemas['Role']

/** The roles with these keys, and others that can be granted. */
async function loadRoles(keys: readonly string[]) {
  const { items } = await ok(portal.GET('/api/admin/roles', { params: { query: { limit: 200 } } }))
  const missing = keys.filter((key) => !items.some((role) => role.key === key))
  const others = await Promise.all(
    missing.map((key) => ok(portal.GET('/api/admin/roles/{key}', { params: { path: { key } } })))
  )
  return [...items, ...others]
}

/** The records that say who gave a user a role, newest first. */
async function loadGrants(targetId: string) {
  const pages = await Promise.all(
    ['user.role-grant', 'user.create'].map((action) =>
      ok(portal.GET('/api/admin/activity', { params: { query: { targetId, action, limit: 200 } } }))
    )
  )
  return pages.flatMap(({ items }) => items).filter(({ outcome }) => outcome === 'success')
}

/** The roles of a user, who granted them, and why the user may do something. */
export function UserRoles({ user, reload }: UserProps) {
  const { id, email } = user
  const loaded = useLoaded(['/api/admin/roles', user.roles], () => loadRoles(user.roles))
  const grants = useLoaded(['/api/admin/activity', 'grants', id], async () =>
    may('activity:read') ? await loadGrants(id) : undefined
  )
  const path = (key: string) => ({ params: { path: { id, key } } })
  const columns: Column<Role>[] = [
    { title: 'Role', cell: ({ key }) => <Link href={`/roles/${key}`}>{key}</Link> },
    { title: 'Counts', cell: ({ requiresSecondFactor: only }) => (only ? suspended : 'always') },
    {
      title: 'Granted by',
      cell: ({ key }) => <Granted of={key} records={grants.value} />
    },
    {
      title: 'Change',
      cell: ({ key }) => (
        <Action
          label="Revoke"
          isDangerous
          onPress={async () => {
            await ok(portal.DELETE('/api/admin/users/{id}/roles/{key}', path(key)))
            await reload()
          }}
        />
      )
    }
  ]
  return (
    <section>
      <h2>Roles</h2>
      {grants.error !== undefined && <ProblemNotice error={grants.error} />}
      <Loaded from={loaded}>
        {(roles) => {
          const own = roles.filter(({ key }) => user.roles.includes(key))
          return (
            <>
              <Table
                label="Roles"
                columns={columns}
                items={own}
                keyOf={({ key }) => key}
                empty="This user has no role."
              />
              <details>
                <summary>Permissions, and the roles that grant them</summary>
                <Table
                  label="Permissions"
                  columns={whyColumns}
                  items={permissionsOf(own)}
                  keyOf={({ permission }) => permission}
                  empty="No role of this user has a permission."
                />
              </details>
              <datalist id="roles">
                {roles
                  .filter(({ key }) => !user.roles.includes(key))
                  .map(({ key, name }) => (
                    <option key={key} value={key}>
                      {name}
                    </option>
                  ))}
              </datalist>
            </>
          )
        }}
      </Loaded>
      <Form
        key={user.roles.join()}
        action="Grant"
        onSubmit={async ({ role = '' }) => {
          await ok(portal.PUT('/api/admin/users/{id}/roles/{key}', path(role)))
          await reload()
        }}
      >
        <Field
          label="Grant a role"
          name="role"
          list="roles"
          autocomplete="off"
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          title="Key of a role: lowercase letters, digits and hyphens"
          required
          maxLength={64}
        />
      </Form>
      <CommandLine words={[['user grant', email], 'ROLE']} />
    </section>
  )
}

const suspended = 'only in sessions with a second factor, suspended in others'

interface Why {
  permission: string
  roles: Role[]
}
const whyColumns: Column<Why>[] = [
  { title: 'Permission', cell: ({ permission }) => <code>{permission}</code> },
  {
    title: 'Granted by the role',
    cell: ({ roles }) =>
      roles
        .map(({ key, requiresSecondFactor: only }) => (only ? `${key} (${suspended})` : key))
        .join(', ')
  }
]
const permissionsOf = (roles: Role[]): Why[] =>
  [...new Set(roles.flatMap(({ permissions }) => permissions))].sort().map((permission) => ({
    permission,
    roles: roles.filter(({ permissions }) => permissions.includes(permission))
  }))

interface GrantedProps {
  of: string
  records: Schemas['ActivityRecord'][] | undefined
}

/** Who gave the role, as far as it was recorded. */
function Granted({ of: key, records }: GrantedProps) {
  if (!records) return may('activity:read') ? null : <>needs activity:read</>
  const record = records.find(({ details }) => details.role === key)
  if (record) {
    return (
      <>
        <Actor of={record} />, <Time at={record.at} />
      </>
    )
  }
  return key === 'user' ? 'granted with the account' : 'not recorded'
}
