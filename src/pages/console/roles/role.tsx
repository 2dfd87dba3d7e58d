import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { ConfirmButton, DeleteZone } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { useList } from '../list/use-list.ts'
import { LoadedTable } from '../list/paging.tsx'
import { findUser, UserField } from '../list/user-field.tsx'
import { ListView } from '../list/view.tsx'
import { may } from '../may.ts'
import { useRemembered } from '../search/found.ts'
import { byName } from './names.ts'
import { change, report } from '../shell/status.tsx'
import { changesOf } from '../user/roles.tsx'
import { shortName } from '../user/short-name.ts'
import { userColumns } from '../users.tsx'
import { Matrix } from './matrix.tsx'
import { Gone, Keys, RequiresPermission, titleOf } from '../parts.tsx'
import { Check, Field } from '../../shared/controls.tsx'
import type { Column } from '../list/table.tsx'
import { keyField, NameFields } from '../name-fields.tsx'

export function Role({ role: key = '' }: Record<string, string | undefined>) {
  const params = { path: { key } }
  const loaded = useGet('/api/admin/roles/{key}', params)
  const { value: role } = loaded
  useRemembered(role && { kind: 'role', path: `/roles/${key}`, title: role.name, detail: key })
  return (
    <Page
      title={titleOf('Role', loaded, role?.name)}
      about={
        role && (
          <>
            <span class="summary">
              <code>{key}</code>
              {role.scoped && <span class="chip">In scopes</span>}
              {role.requiresSecondFactor && <span class="chip">Only with a second factor</span>}
              {role.system && <span class="chip">Part of the portal</span>}
            </span>
            {role.description}
          </>
        )
      }
      action={role && may('roles:update') && <Edit role={role} />}
    >
      <Loaded from={loaded} missing={<Gone title={`There is no role ${key}`} rest="roles" />}>
        {(role) => (
          <>
            {!role.scoped && (
              <RequiresPermission permission="users:read" title="Members">
                <Members role={role} />
              </RequiresPermission>
            )}
            <RequiresPermission permission="permissions:read" title="Permissions">
              <Granted role={role} onChanged={loaded.reload} />
            </RequiresPermission>
            {!role.system && may('roles:delete') && (
              <DeleteZone
                noun="role"
                name={shortName(role)}
                loss="Everybody who has it loses it at once. This cannot be undone."
                words={['role delete', key]}
                call={() => portal.DELETE('/api/admin/roles/{key}', { params })}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface RoleProps {
  role: Schemas['Role']
}

const Edit = ({ role }: RoleProps) => (
  <ConfirmButton
    label="Edit"
    action="Save"
    words={[['role update', role.key], '--second-factor required']}
    onSubmit={async (fields) => {
      const body = Object.fromEntries(
        Object.entries(roleOf(fields)).filter(
          ([field, value]) => role[field as keyof Schemas['Role']] !== value
        )
      )
      if (Object.keys(body).length === 0) return
      const params = { path: { key: role.key } }
      await change(
        portal.PATCH('/api/admin/roles/{key}', { params, body }),
        `The role ${shortName(role)} is saved.`
      )
    }}
  >
    <RoleFields role={role} />
  </ConfirmButton>
)

/** All permissions, and whether the role has them. */
const Granted = ({ role, onChanged }: RoleProps & { onChanged(): unknown }) => (
  <section>
    <h2>Permissions</h2>
    <Loaded from={useGet('/api/admin/permissions', { query: { limit: 200 } })}>
      {({ items, nextCursor }) => (
        <>
          <p>
            <code>
              <Keys of={role.permissions} />
            </code>
          </p>
          <details>
            <summary>
              {role.permissions.length} of {items.length} permissions
            </summary>
            <Matrix permissions={items} roles={[role]} onChanged={onChanged} />
          </details>
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

// Each of them has this role.
const memberColumns = userColumns.filter(({ title }) => title !== 'Roles')

/** Who has the role. */
function Members({ role: { key: role, name } }: RoleProps) {
  const { filters, from } = useList('/api/admin/users', [], (filters) => ({ ...filters, role }))
  const grant = async (text = '') => {
    const user = await findUser(text)
    const params = { path: { id: user.id, key: role } }
    const address = '/api/admin/users/{id}/roles/{key}'
    await changesOf(shortName(user), shortName({ name }), {
      grant: () => portal.PUT(address, { params }),
      revoke: () => portal.DELETE(address, { params })
    }).grant()
  }
  return (
    <section>
      <div class="head">
        <h2>Members</h2>
        {may('users:update') && (
          <ConfirmButton
            label="Grant to a user"
            action="Grant"
            words={['user grant ADDRESS', role]}
            onSubmit={({ user }) => grant(user)}
          >
            <UserField />
          </ConfirmButton>
        )}
      </div>
      <LoadedTable
        label="Members"
        columns={memberColumns}
        {...{ from, filters }}
        noun="members"
        empty="Nobody has this role."
      />
    </section>
  )
}

const columns: Column<Schemas['Role'], 'key'>[] = [
  {
    title: 'Role',
    cell: ({ key, name, system, scoped }) => (
      <>
        <Link href={`/roles/${key}`}>{name}</Link>{' '}
        {system && <span class="chip">Part of the portal</span>}
        {scoped && <span class="chip">In scopes</span>}
      </>
    ),
    below: ({ key }) => <code>{key}</code>,
    sort: 'key'
  },
  { title: 'Description', cell: ({ description }) => description },
  {
    title: 'Second factor',
    cell: (role) => role.requiresSecondFactor && <span class="chip">Required</span>
  },
  { title: 'Permissions', cell: ({ permissions }) => permissions.length }
]

export function Roles() {
  const list = useList('/api/admin/roles', ['sort'])
  const { from } = list
  const { items = [], nextCursor = '' } = from.value ?? {}
  const isWhole = nextCursor === null && !list.filters.cursor && !list.filters.sort
  return (
    <ListView
      {...list}
      from={isWhole ? { ...from, value: { items: items.toSorted(byName), nextCursor } } : from}
      title="Roles"
      about="Sets of permissions. A change of a role counts at once for everybody who has it."
      action={may('roles:create') && <CreateRole />}
      columns={columns}
      orders={['key']}
      empty={null} // there are always those of the portal
      command="role list"
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
        const body = { key, ...roleOf(fields), scoped: fields.scoped !== undefined }
        await ok(portal.POST('/api/admin/roles', { body }))
        report(`The role ${shortName({ name: fields.name ?? key })} was created.`)
        navigate(`/roles/${key}`)
      }}
    >
      <Field {...keyField} />
      <RoleFields />
      <Check label="Granted in scopes, such as org:1. This cannot change later." name="scoped" />
    </ConfirmButton>
  )
}

/** Fields of what can be changed about a role. */
const RoleFields = ({ role }: { role?: Schemas['Role'] }) => (
  <>
    <NameFields of={role} />
    <Check
      label="Counts only in sessions with a second factor"
      name="secondFactor"
      defaultChecked={role?.requiresSecondFactor ?? false}
    />
  </>
)

/** The values of `RoleFields`. */
const roleOf = ({ name = '', description = '', secondFactor }: Record<string, string>) => ({
  name,
  description,
  requiresSecondFactor: secondFactor !== undefined
})
