import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Loaded, renew, useLoaded } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { user as me } from '../../shared/session.ts'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton, ActionButton } from '../action-buttons.tsx'
import type { Words } from '../command-line.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { Actor } from '../user-link.tsx'
import { shortName } from './short-name.ts'

interface UserProps {
  user: Schemas['User']
}

/** The roles of a user, and who granted them. */
export function UserRoles({ user }: UserProps) {
  const loaded = useRoles(user)
  const grants = useGrants(user)
  const mayChange = may('users:update')
  return (
    <section>
      <div class="head">
        <h2>Roles</h2>
        {mayChange && (
          <GrantRole
            roles={loaded.value?.others}
            words={[['user grant', user.email], 'ROLE']}
            onGrant={(role) => changesFor(user, role).grant()}
          />
        )}
      </div>
      {grants.error !== undefined && <ProblemNotice error={grants.error} />}
      <Loaded from={loaded}>
        {({ own }) =>
          own.length === 0 ? (
            <p class="muted">{shortName(user)} has no role, and may do nothing.</p>
          ) : (
            <ul class="rows" aria-label="Roles">
              {own.map((role) => (
                <li key={role.key}>
                  <RoleName role={role}>
                    <Granted of={role.key} records={grants.value} />{' '}
                    {role.requiresSecondFactor && (
                      <span class="chip">Only with a second factor</span>
                    )}
                  </RoleName>
                  {mayChange && <Revoke user={user} role={role} />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** The calls that grant and revoke a role. */
function changesFor(user: Schemas['User'], role: Pick<Role, 'key' | 'name'>) {
  const params = { path: { id: user.id, key: role.key } }
  return changesOf(user, role, {
    put: () => portal.PUT('/api/admin/users/{id}/roles/{key}', { params }),
    del: () => portal.DELETE('/api/admin/users/{id}/roles/{key}', { params })
  })
}

function Revoke({ user, role }: UserProps & { role: Role }) {
  const { revoke } = changesFor(user, role)
  const words = [['user revoke', user.email], role.key] as const
  if (me.value?.id !== user.id) {
    return <RevokeRole role={role} words={words} onPress={revoke} />
  }
  return (
    <ConfirmButton
      label="Revoke"
      about={shortName(role)}
      action={`Revoke my role ${shortName(role)}`}
      words={words}
      isDangerous
      isQuiet
      onSubmit={revoke}
    >
      <p>
        This is your own role. You lose its permissions at once, and may not be able to grant it to
        yourself again.
      </p>
    </ConfirmButton>
  )
}

interface GrantedProps {
  of: string
  records: Schemas['ActivityRecord'][] | undefined
}

/** Who gave the role, as far as it was recorded. */
function Granted({ of: key, records }: GrantedProps) {
  if (!records) return may('activity:read') ? null : <>Who granted it needs activity:read</>
  const record = records.find(({ details }) => details.role === key)
  if (record) {
    return (
      <>
        Granted by <Actor of={record} /> <Ago at={record.at} />
      </>
    )
  }
  return <>{key === 'user' ? 'Granted with the account' : 'Who granted it was not recorded'}</>
}

/** The key of a role, with those that can be granted to choose from. */
const RoleField = ({ roles }: { roles: readonly Role[] }) => (
  <>
    <Field
      label="Role"
      name="role"
      list="roles"
      pattern="[a-z0-9]+(-[a-z0-9]+)*"
      title="Key of a role: lowercase letters, digits and hyphens"
      required
      maxLength={64}
      autofocus
    />
    <datalist id="roles">
      {roles.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </datalist>
  </>
)

type Named = Pick<Role, 'key' | 'name'>
type Call = () => Parameters<typeof ok>[0]

/** Grants and revokes a role of a user or a service. Each is the opposite of the other. */
export function changesOf(owner: { name: string }, role: Named, calls: { put: Call; del: Call }) {
  const name = shortName(owner)
  const grant = async () => {
    await ok(calls.put())
    await renew()
    report(`${name} has the role ${shortName(role)} now.`, revoke)
  }
  const revoke = async () => {
    await ok(calls.del())
    await renew()
    report(`${name} no longer has the role ${shortName(role)}.`, grant)
  }
  return { grant, revoke }
}

interface RoleNameProps {
  role: Named
  /** A line below the name. */
  children?: ComponentChildren
}

export const RoleName = ({ role: { key, name }, children }: RoleNameProps) => (
  <div>
    <Link href={`/roles/${key}`}>
      <strong>{name}</strong>
    </Link>{' '}
    <code class="muted">{key}</code>
    {children && (
      <>
        <br />
        <small class="muted">{children}</small>
      </>
    )}
  </div>
)

interface RevokeRoleProps {
  role: Named
  words: Words
  onPress(): Promise<void>
}

export const RevokeRole = ({ role, words, onPress }: RevokeRoleProps) => (
  <ActionButton
    label={
      <>
        Revoke<span class="unseen"> {role.name}</span>
      </>
    }
    kind="outline"
    words={words}
    onPress={onPress}
  />
)

interface GrantRoleProps {
  /** Those that can be granted. */
  roles: readonly Role[] | undefined
  words: Words
  onGrant(role: Named): Promise<void>
}

export const GrantRole = ({ roles = [], words, onGrant }: GrantRoleProps) => (
  <ConfirmButton
    label="Grant a role"
    action="Grant"
    words={words}
    onSubmit={({ role: key = '' }) => {
      const { name = key } = roles.find((role) => role.key === key) ?? {}
      return onGrant({ key, name })
    }}
  >
    <RoleField roles={roles} />
  </ConfirmButton>
)

export type Role = Schemas['Role']

/** The roles of a user or a service, and others that can be granted. */
export const useRoles = ({ roles: keys }: { roles: readonly string[] }) =>
  useLoaded(['/api/admin/roles', keys], async (signal) => {
    const query = { limit: 200 }
    const { items } = await ok(portal.GET('/api/admin/roles', { params: { query }, signal }))
    const missing = keys.filter((key) => !items.some((role) => role.key === key))
    const others = await Promise.all(
      missing.map((key) =>
        ok(portal.GET('/api/admin/roles/{key}', { params: { path: { key } }, signal }))
      )
    )
    const all = [...items, ...others]
    return {
      own: all.filter(({ key }) => keys.includes(key)),
      others: all.filter(({ key }) => !keys.includes(key))
    }
  })

/** The records that say who gave a user a role, newest first. Undefined for those who may not. */
const useGrants = ({ id: targetId }: Schemas['User']) =>
  useLoaded(['/api/admin/activity', 'grants', targetId], async (signal) => {
    if (!may('activity:read')) return undefined
    const pages = await Promise.all(
      ['user.role-grant', 'user.create'].map((action) => {
        const query = { targetId, action, limit: 200 }
        return ok(portal.GET('/api/admin/activity', { params: { query }, signal }))
      })
    )
    return pages.flatMap(({ items }) => items).filter(({ outcome }) => outcome === 'success')
  })
