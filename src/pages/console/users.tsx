import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'
import { Choice, Field } from '../shared/controls.tsx'
import { Ago } from '../shared/time.tsx'
import { begun } from './list/table.tsx'
import type { Column } from './list/table.tsx'
import { useList } from './list/use-list.ts'
import { ListView, optionsOf } from './list/view.tsx'
import { may } from './may.ts'
import { nameOfRole } from './roles/names.ts'
import { InviteUser } from './user/create.tsx'
import { RoleField } from './user/roles.tsx'
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
    rank: 'state',
    cell: ({ status, emailVerified }) =>
      status === 'deactivated' ? (
        <span class="chip bad">Deactivated</span>
      ) : emailVerified ? (
        <span class="chip good">Active</span>
      ) : (
        <span class="chip warn">Not confirmed</span>
      )
  },
  { title: 'Second factor', cell: (user) => user.secondFactor && 'Yes', rank: 'less' },
  {
    title: 'Roles',
    cell: ({ roles }) => {
      const others = roles.filter((role) => role !== 'user')
      return others.length > 0 && <Keys of={others} nameOf={nameOfRole} />
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
  return (
    <ListView
      {...list}
      title="Users"
      about="Everybody who has an account."
      action={may('users:create') && <InviteUser />}
      fields={
        <>
          <Field label="Name or address" name="q" type="search" maxLength={254} />
          <Choice
            label="Status"
            name="status"
            options={optionsOf('Every status', 'active', 'deactivated')}
          />
          <RoleField none="Every role" value={list.filters.role} />
        </>
      }
      columns={userColumns}
      orders={['-createdAt', 'createdAt', 'name', 'email']}
      empty={
        <Empty title="No users" command="portal user create --email ADDRESS --name NAME">
          People appear here when they register, or when somebody creates their account.
        </Empty>
      }
      command="user list"
    />
  )
}
