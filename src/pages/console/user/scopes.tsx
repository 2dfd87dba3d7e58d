import { Link } from 'wouter-preact'
import { portal } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { ActionButton, ConfirmButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import type { Words } from '../command-line.tsx'
import { actions, Table } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useParameters } from '../list/address.ts'
import { Paging } from '../list/paging.tsx'
import { findUser, UserField } from '../list/user-field.tsx'
import { may } from '../may.ts'
import { Page } from '../../shared/page.tsx'
import { Empty } from '../parts.tsx'
import { nameOfRole } from '../roles/names.ts'
import { changesOf, RoleField, useRoles } from './roles.tsx'
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
  return changesOf(shortName(user), `${nameOfRole(key)} in ${scope}`, {
    grant: () => portal.PUT(address, { params }),
    revoke: () => portal.DELETE(address, { params })
  })
}

const keyOf = ({ scope, role, user }: Membership) => `${scope} ${user.id} ${role}`

const columns: Column<Membership>[] = [
  {
    title: 'Role',
    cell: ({ role }) => (
      <Link href={`/roles/${role}`} title={role}>
        {nameOfRole(role)}
      </Link>
    )
  },
  actions(
    (of) =>
      may('users:update') && (
        <ActionButton
          label="Revoke"
          about={`${nameOfRole(of.role)} in ${of.scope}`}
          words={wordsOf('revoke', of)}
          onPress={changesIn(of).revoke}
        />
      )
  )
]

interface GrantProps {
  label: string
  isPrimary?: boolean
  /** Given when the view is about one user. */
  user?: Membership['user']
  scope?: string
}

/** Grants a role in a scope. */
const Grant = ({ label, isPrimary = false, user, scope }: GrantProps) =>
  may('users:update') && (
    <ConfirmButton
      {...{ label, isPrimary }}
      action="Grant"
      words={[[`scope grant`, scope ?? 'SCOPE'], ...[user?.email ?? 'ADDRESS', 'ROLE']]}
      onSubmit={async (fields) =>
        changesIn({
          user: user ?? (await findUser(fields.user ?? '')),
          scope: scope ?? fields.scope ?? '',
          role: fields.role ?? ''
        }).grant()
      }
    >
      {user ? (
        <Field
          label="Scope"
          name="scope"
          required
          maxLength={81}
          pattern="[a-z]{1,20}:[A-Za-z0-9_\-]{1,60}"
          title="Such as org:1"
        />
      ) : (
        <UserField />
      )}
      <RoleField has={({ scoped }) => scoped} />
    </ConfirmButton>
  )

/** The scopes in which a user has roles. */
export function UserScopes({ user }: UserProps) {
  const { id } = user
  return (
    <section>
      <div class="head">
        <h2>Scopes</h2>
        <Grant label="Grant in a scope" user={user} />
      </div>
      <Loaded from={useGet('/api/admin/users/{id}/scopes', { path: { id } })}>
        {({ items }) => (
          <Table
            label="Scopes"
            columns={[
              {
                title: 'Scope',
                cell: ({ scope }) => <Link href={`/scopes/${scope}`}>{scope}</Link>
              },
              ...columns
            ]}
            items={items.flatMap(({ scope, roles }) =>
              roles.map((role) => ({ scope, role, user }))
            )}
            keyOf={keyOf}
            empty={`${shortName(user)} has no role in a scope.`}
          />
        )}
      </Loaded>
    </section>
  )
}

/** The members of a scope, with their roles there. */
export function Scope({ scope = '' }: Record<string, string | undefined>) {
  const [filters] = useParameters(['cursor'])
  const params = { path: { scope } }
  const from = useGet('/api/admin/scopes/{scope}/members', {
    ...params,
    query: { ...filters, limit: 50 }
  })
  const total = useGet('/api/admin/scopes/{scope}', params).value?.members
  useRoles() // for their names
  const grant = <Grant label="Grant a role" isPrimary scope={scope} />
  const isEmpty = from.value?.items.length === 0
  return (
    <Page
      title={`Scope ${scope}`}
      about="A customer, a team or another part of your app. Roles held here count only here."
      action={!isEmpty && grant}
    >
      <Loaded from={from}>
        {({ items }) =>
          isEmpty ? (
            <Empty title="Nobody has a role here" action={grant}>
              A scope exists while somebody has a role in it, such as the manager of a team. The
              roles are those that were created for scopes.
            </Empty>
          ) : (
            <>
              <Table
                label="Members"
                columns={[
                  {
                    title: 'User',
                    cell: ({ user: { id, name } }) => (
                      <Link href={`/users/${id}/access`}>{name}</Link>
                    ),
                    below: ({ user: { email } }) => email
                  },
                  ...columns
                ]}
                items={items.flatMap(({ user, roles }) =>
                  roles.map(({ key }) => ({ scope, role: key, user }))
                )}
                keyOf={keyOf}
                empty=""
              />
              <Paging {...{ from, filters, total }} noun="members" />
              <CommandLine words={[['scope members', scope]]} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
