import { Link } from '../../shared/link.tsx'
import { portal } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { useGet } from '../../shared/load.tsx'
import { ActionButton, ConfirmButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import type { Words } from '../command-line.tsx'
import type { Column } from '../list/table.tsx'
import { useParameters } from '../list/address.ts'
import { LoadedTable } from '../list/paging.tsx'
import { may } from '../may.ts'
import { Page } from '../../shared/page.tsx'
import type { Schemas } from '../../shared/client.ts'
import { changesOf, RoleField } from './roles.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'

interface Membership {
  scope: string
  role: string
  user: { id: string; name: string; email: string }
}

const wordsOf = (action: 'grant' | 'revoke', { scope, user, role }: Membership): Words => [
  [`scope ${action}`, scope],
  user.email,
  role
]

function changesIn({ scope, role: key, user }: Membership) {
  const params = { path: { scope, user: user.id, key } }
  const address = '/api/admin/scopes/{scope}/members/{user}/roles/{key}'
  return changesOf(shortName(user), `${key} in ${scope}`, {
    grant: () => portal.PUT(address, { params }),
    revoke: () => portal.DELETE(address, { params })
  })
}

const RolesIn = ({ of, roles }: { of: Omit<Membership, 'role'>; roles: readonly string[] }) => (
  <>
    {roles.map((role) => (
      <span key={role} class="summary">
        <Link href={`/roles/${role}`}>{role}</Link>{' '}
        {may('users:update') && (
          <ActionButton
            label="Revoke"
            about={`${role} in ${of.scope}`}
            words={wordsOf('revoke', { ...of, role })}
            onPress={changesIn({ ...of, role }).revoke}
          />
        )}
      </span>
    ))}
  </>
)

/** The scopes in which a user has roles. */
export function UserScopes({ user }: UserProps) {
  const { id, email } = user
  const membership = { user, scope: 'SCOPE', role: 'ROLE' }
  return (
    <section>
      <div class="head">
        <h2>Scopes</h2>
        {may('users:update') && (
          <ConfirmButton
            label="Grant in a scope"
            action="Grant"
            words={wordsOf('grant', membership)}
            onSubmit={({ scope = '', role = '' }) => changesIn({ user, scope, role }).grant()}
          >
            <Field
              label="Scope"
              name="scope"
              required
              maxLength={81}
              pattern="[a-z]{1,20}:[A-Za-z0-9_\-]{1,60}"
              title="Such as org:1"
            />
            <RoleField has={({ scoped }) => scoped} />
          </ConfirmButton>
        )}
      </div>
      <LoadedTable
        label="Scopes"
        from={useGet('/api/admin/users/{id}/scopes', { path: { id } })}
        columns={[
          {
            title: 'Scope',
            cell: ({ scope }) => <Link href={`/scopes/${scope}`}>{scope}</Link>
          },
          {
            title: 'Roles',
            cell: ({ scope, roles }) => <RolesIn of={{ user, scope }} roles={roles} />
          }
        ]}
        keyOf={({ scope }) => scope}
        empty={`${shortName(user)} has no role in a scope.`}
      />
      <CommandLine words={[['user show', email]]} />
    </section>
  )
}

/** The members of a scope, with their roles there. */
export function Scope({ scope = '' }: Record<string, string | undefined>) {
  const [filters] = useParameters(['cursor'])
  const query = { ...filters, limit: 50 }
  const from = useGet('/api/admin/scopes/{scope}/members', { path: { scope }, query })
  const columns: Column<Schemas['Member']>[] = [
    {
      title: 'User',
      cell: ({ user: { id, name } }) => <Link href={`/users/${id}/access`}>{name}</Link>,
      below: ({ user: { email } }) => email
    },
    {
      title: 'Roles',
      cell: ({ user, roles }) => (
        <RolesIn of={{ user, scope }} roles={roles.map(({ key }) => key)} />
      )
    }
  ]
  return (
    <Page title={`Scope ${scope}`} about="Users with a role in this scope.">
      <LoadedTable
        label="Members"
        {...{ columns, from, filters }}
        noun="members"
        keyOf={({ user }) => user.id}
        empty="Nobody has a role in this scope."
      />
      <CommandLine words={[['scope members', scope]]} />
    </Page>
  )
}
