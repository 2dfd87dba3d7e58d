import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Check } from '../../shared/controls.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Fields, keyField, nameFields } from '../name-fields.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { shortName } from '../user/short-name.ts'

const columns: Column<Schemas['Role'], 'key'>[] = [
  {
    title: 'Role',
    cell: ({ key, name, system }) => (
      <>
        <Link href={`/roles/${key}`}>{name}</Link>{' '}
        {system && <span class="chip">Part of the portal</span>}
      </>
    ),
    below: ({ key }) => <code>{key}</code>,
    sort: 'key'
  },
  { title: 'Description', cell: ({ description }) => description },
  {
    title: 'Second factor',
    cell: (role) => role.requiresSecondFactor && <span class="chip">Required</span>,
    rank: 'less'
  },
  { title: 'Permissions', cell: ({ permissions }) => permissions.length }
]

export function Roles() {
  const list = useList('/api/admin/roles', ['sort'])
  return (
    <ListView
      {...list}
      title="Roles"
      about="Sets of permissions. A change of a role counts at once for everybody who has it."
      action={may('roles:create') && <CreateRole />}
      columns={columns}
      orders={['key']}
      empty={null} // there are always those of the portal
      command={['role list', ['--sort', list.filters.sort]]}
    />
  )
}

function CreateRole() {
  const [, navigate] = useLocation()
  return (
    <ConfirmButton
      label="Create a role"
      action="Create"
      isPrimary
      words={['role create KEY --name NAME']}
      onSubmit={async ({ key = '', ...fields }) => {
        await ok(portal.POST('/api/admin/roles', { body: { key, ...roleOf(fields) } }))
        report(`The role ${shortName({ name: fields.name ?? key })} was created.`)
        navigate(`/roles/${key}`)
      }}
    >
      <Fields of={[keyField]} />
      <RoleFields />
    </ConfirmButton>
  )
}

/** Fields of what can be changed about a role. */
export const RoleFields = ({ role }: { role?: Schemas['Role'] }) => (
  <>
    <Fields of={nameFields(role)} />
    <Check
      label="Counts only in sessions with a second factor"
      name="secondFactor"
      defaultChecked={role?.requiresSecondFactor ?? false}
    />
  </>
)

/** The values of `RoleFields`. */
export const roleOf = ({ name = '', description = '', secondFactor }: Record<string, string>) => ({
  name,
  description,
  requiresSecondFactor: secondFactor !== undefined
})
