import { portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded } from '../../shared/load.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'
import { changesOf, GrantRole, RevokeRole, RoleName, useRoles } from '../user/roles.tsx'
import { shortName } from '../user/short-name.ts'

interface ServiceProps {
  service: Schemas['Service']
}

/** The roles of a service, and what it may do with them. */
export function ServiceRoles({ service }: ServiceProps) {
  const loaded = useRoles(service)
  const mayChange = may('services:update')
  const { key, permissions } = service
  const granting = ['service grant', key, 'ROLE']
  const changes = (role: Pick<Schemas['Role'], 'key' | 'name'>) => {
    const params = { path: { key, role: role.key } }
    return changesOf(service, role, {
      put: () => portal.PUT('/api/admin/services/{key}/roles/{role}', { params }),
      del: () => portal.DELETE('/api/admin/services/{key}/roles/{role}', { params })
    })
  }
  return (
    <section>
      <div class="head">
        <h2>Roles</h2>
        {mayChange && (
          <GrantRole
            roles={loaded.value?.others}
            words={granting}
            onGrant={(role) => changes(role).grant()}
          />
        )}
      </div>
      <Loaded from={loaded}>
        {({ own }) =>
          own.length === 0 ? (
            <p class="muted">{shortName(service)} has no role, and may do nothing.</p>
          ) : (
            <ul class="rows" aria-label="Roles">
              {own.map((role) => (
                <li key={role.key}>
                  <RoleName role={role}>
                    {role.requiresSecondFactor && (
                      <span class="chip warn">Does not count: needs a second factor</span>
                    )}
                  </RoleName>
                  {mayChange && (
                    <RevokeRole
                      role={role}
                      words={['service revoke', key, role.key]}
                      onPress={() => changes(role).revoke()}
                    />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {permissions.length > 0 && (
        <p class="muted">
          This gives <code>{permissions.join(', ')}</code>.
        </p>
      )}
      <CommandLine words={granting} />
    </section>
  )
}
