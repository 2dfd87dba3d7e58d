import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, renew } from '../../shared/load.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Change } from '../locked.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { useRoles } from '../user/load-roles.ts'
import type { Role } from '../user/load-roles.ts'
import { RoleField } from '../user/role-field.tsx'
import { shortName } from '../user/short-name.ts'

interface ServiceProps {
  service: Schemas['Service']
}

/** The roles of a service, and what it may do with them. */
export function ServiceRoles({ service }: ServiceProps) {
  const loaded = useRoles(service)
  const mayChange = may('services:update')
  const { permissions } = service
  return (
    <section>
      <div class="head">
        <h2>Roles</h2>
        {mayChange && <Grant service={service} roles={loaded.value?.others ?? []} />}
      </div>
      <Loaded from={loaded}>
        {({ own }) =>
          own.length === 0 ? (
            <p class="muted">{shortName(service)} has no role, and may do nothing.</p>
          ) : (
            <ul class="rows" aria-label="Roles">
              {own.map((role) => (
                <li key={role.key}>
                  <div>
                    <Link href={`/roles/${role.key}`}>
                      <strong>{role.name}</strong>
                    </Link>{' '}
                    <code class="muted">{role.key}</code>
                  </div>
                  {role.requiresSecondFactor && (
                    <span class="chip warn">Does not count: needs a second factor</span>
                  )}
                  {mayChange && <Revoke service={service} role={role} />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {permissions.length > 0 && (
        <p class="muted">
          Together they give <code>{permissions.join(', ')}</code>.
        </p>
      )}
      <CommandLine words={['service grant', service.key, 'ROLE']} />
    </section>
  )
}

/** Grants and revokes a role. Each is the opposite of the other. */
function changesOf(service: Schemas['Service'], role: Pick<Role, 'key' | 'name'>) {
  const params = { path: { key: service.key, role: role.key } }
  const name = shortName(service)
  const grant = async () => {
    await ok(portal.PUT('/api/admin/services/{key}/roles/{role}', { params }))
    await renew()
    report(`${name} has the role ${shortName(role)} now.`, revoke)
  }
  const revoke = async () => {
    await ok(portal.DELETE('/api/admin/services/{key}/roles/{role}', { params }))
    await renew()
    report(`${name} no longer has the role ${shortName(role)}.`, grant)
  }
  return { grant, revoke }
}

function Revoke({ service, role }: ServiceProps & { role: Role }) {
  const { revoke } = changesOf(service, role)
  const label = (
    <>
      Revoke<span class="unseen"> {role.name}</span>
    </>
  )
  return (
    <Change
      label={label}
      kind="outline"
      words={['service revoke', service.key, role.key]}
      onPress={revoke}
    />
  )
}

const Grant = ({ service, roles }: ServiceProps & { roles: readonly Role[] }) => (
  <Ask
    label="Grant a role"
    action="Grant"
    words={['service grant', service.key, 'ROLE']}
    onSubmit={({ role: key = '' }) => {
      const { name = key } = roles.find((role) => role.key === key) ?? {}
      return changesOf(service, { key, name }).grant()
    }}
  >
    <RoleField roles={roles} />
  </Ask>
)
