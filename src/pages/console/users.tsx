import { Link } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Choice, Field } from '../shared/controls.tsx'
import { useLoaded } from '../shared/load.tsx'
import { Ago } from '../shared/time.tsx'
import { begun } from './list/table.tsx'
import type { Column } from './list/table.tsx'
import { useList } from './list/use-list.ts'
import { ListView } from './list/view.tsx'
import { may } from './may.ts'
import { CreateUser } from './user/create.tsx'
import { Empty, Keys } from './parts.tsx'

export const userColumns: Column<Schemas['User'], 'name' | 'createdAt'>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => <Link href={`/users/${id}`}>{name}</Link>,
    below: ({ email }) => email,
    sort: 'name'
  },
  {
    title: 'Status',
    cell: ({ status, emailVerified }) =>
      status === 'deactivated' ? (
        <span class="chip bad">Deactivated</span>
      ) : emailVerified ? (
        <span class="chip good">Active</span>
      ) : (
        <span class="chip warn">Unconfirmed</span>
      )
  },
  { title: 'Second factor', cell: (user) => user.secondFactor && 'Yes', rank: 'less' },
  {
    title: 'Roles',
    cell: ({ roles }) => {
      const others = roles.filter((role) => role !== 'user')
      return others.length > 0 && <Keys of={others} />
    }
  },
  {
    title: 'Last sign-in',
    cell: ({ lastLoginAt: at }) => (at === null ? 'never' : <Ago at={at} />)
  },
  begun('Created', 'less')
]

export function Users() {
  const list = useList('/api/admin/users', ['q', 'status', 'role', 'sort'])
  const { q, status, role, sort } = list.filters
  return (
    <ListView
      {...list}
      title="Users"
      about="Everybody who has an account."
      action={may('users:create') && <CreateUser />}
      fields={
        <>
          <Field label="Name or address" name="q" type="search" maxLength={254} />
          <Choice
            label="Status"
            name="status"
            options={[
              ['', 'Every status'],
              ['active', 'Active'],
              ['deactivated', 'Deactivated']
            ]}
          />
          <RoleFilter value={role} />
        </>
      }
      columns={userColumns}
      orders={['-createdAt', 'createdAt', 'name', 'email']}
      empty={
        <Empty title="No users" command="portal user create --email ADDRESS --name NAME">
          People appear here when they register, or when somebody creates their account.
        </Empty>
      }
      command={['user list', ['--q', q], ['--status', status], ['--role', role], ['--sort', sort]]}
    />
  )
}

/** A filter for those who have a role. Without the permission to list roles, one types its key. */
function RoleFilter({ value }: { value: string | undefined }) {
  const roles = useLoaded('roles to choose', async (signal) => {
    if (!may('roles:read')) return undefined
    const params = { query: { limit: 200 } }
    return (await ok(portal.GET('/api/admin/roles', { params, signal }))).items
  })
  if (roles.value === undefined) {
    return <Field label="Role" name="role" maxLength={80} defaultValue={value ?? ''} />
  }
  const options = roles.value.map(({ key, name }) => [key, name] as const)
  const isListed = value === undefined || options.some(([key]) => key === value)
  return (
    <Choice
      label="Role"
      name="role"
      defaultValue={value ?? ''}
      options={[['', 'Every role'], ...options, ...(isListed ? [] : [[value, value] as const])]}
    />
  )
}
