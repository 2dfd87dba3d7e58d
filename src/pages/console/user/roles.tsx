import { portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { user as me } from '../../shared/session.ts'
import { Ago } from '../../shared/time.tsx'
import { Actor } from '../actor.tsx'
import { Ask } from '../ask.tsx'
import { may } from '../may.ts'
import { useGrants, useRoles } from './load-roles.ts'
import type { Role } from './load-roles.ts'
import { changesOf, GrantRole, RevokeRole, RoleName } from './role-changes.tsx'
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
    <Ask
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
    </Ask>
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
