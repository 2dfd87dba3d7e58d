import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, renew } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { user as me } from '../../shared/session.ts'
import { Ago } from '../../shared/time.tsx'
import { Actor } from '../actor.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Change } from '../locked.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { useGrants, useRoles } from './load-roles.ts'
import type { Role } from './load-roles.ts'
import { RoleField } from './role-field.tsx'
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
        {mayChange && <Grant user={user} roles={loaded.value?.others ?? []} />}
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
                  <div>
                    <Link href={`/roles/${role.key}`}>
                      <strong>{role.name}</strong>
                    </Link>{' '}
                    <code class="muted">{role.key}</code>
                    <br />
                    <small class="muted">
                      <Granted of={role.key} records={grants.value} />
                    </small>
                  </div>
                  {role.requiresSecondFactor && <span class="chip">Only with a second factor</span>}
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

/** Grants and revokes a role. Each is the opposite of the other. */
function changesOf(user: Schemas['User'], role: Pick<Role, 'key' | 'name'>) {
  const params = { path: { id: user.id, key: role.key } }
  const name = shortName(user)
  const grant = async () => {
    await ok(portal.PUT('/api/admin/users/{id}/roles/{key}', { params }))
    await renew()
    report(`${name} has the role ${shortName(role)} now.`, revoke)
  }
  const revoke = async () => {
    await ok(portal.DELETE('/api/admin/users/{id}/roles/{key}', { params }))
    await renew()
    report(`${name} no longer has the role ${shortName(role)}.`, grant)
  }
  return { grant, revoke }
}

function Revoke({ user, role }: UserProps & { role: Role }) {
  const { revoke } = changesOf(user, role)
  const label = (
    <>
      Revoke<span class="unseen"> {role.name}</span>
    </>
  )
  const words = [['user revoke', user.email], role.key] as const
  if (me.value?.id !== user.id) {
    return <Change label={label} kind="outline" words={words} onPress={revoke} />
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

const Grant = ({ user, roles }: UserProps & { roles: readonly Role[] }) => (
  <Ask
    label="Grant a role"
    action="Grant"
    words={[['user grant', user.email], 'ROLE']}
    onSubmit={({ role: key = '' }) => {
      const { name = key } = roles.find((role) => role.key === key) ?? {}
      return changesOf(user, { key, name }).grant()
    }}
  >
    <RoleField roles={roles} />
    <CommandLine words={[['user grant', user.email], 'ROLE']} />
  </Ask>
)

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
