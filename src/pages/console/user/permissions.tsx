import type { Schemas } from '../../shared/client.ts'
import { Loaded } from '../../shared/load.tsx'
import { counted } from '../grouped.ts'
import { Table } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useRoles } from './load-roles.ts'
import type { Role } from './load-roles.ts'

interface Why {
  permission: string
  roles: Role[]
}

const columns: Column<Why>[] = [
  { title: 'Permission', cell: ({ permission }) => <code>{permission}</code> },
  {
    title: 'From the role',
    cell: ({ roles }) =>
      roles
        .map(({ name, requiresSecondFactor: only }) =>
          only ? `${name} (only with a second factor)` : name
        )
        .join(', ')
  }
]

/** What a user may do, and why. */
export function Permissions({ user }: { user: Schemas['User'] }) {
  const loaded = useRoles(user)
  return (
    <Loaded from={loaded}>
      {({ own }) => {
        const items = permissionsOf(own)
        return (
          <section>
            <h2>Permissions</h2>
            <details>
              <summary>
                {counted(items.length, 'permission')}, and the roles that grant them
              </summary>
              <Table
                label="Permissions"
                columns={columns}
                items={items}
                keyOf={({ permission }) => permission}
                empty="No role of this user has a permission."
              />
            </details>
          </section>
        )
      }}
    </Loaded>
  )
}

const permissionsOf = (roles: Role[]): Why[] =>
  [...new Set(roles.flatMap(({ permissions }) => permissions))].sort().map((permission) => ({
    permission,
    roles: roles.filter(({ permissions }) => permissions.includes(permission))
  }))
