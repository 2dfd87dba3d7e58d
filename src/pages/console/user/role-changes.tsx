import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { ok } from '../../shared/client.ts'
import { renew } from '../../shared/load.tsx'
import { Ask } from '../ask.tsx'
import type { Words } from '../command-line.tsx'
import { Change } from '../locked.tsx'
import { report } from '../shell/status.tsx'
import type { Role } from './load-roles.ts'
import { RoleField } from './role-field.tsx'
import { shortName } from './short-name.ts'

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
  <Change
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
  <Ask
    label="Grant a role"
    action="Grant"
    words={words}
    onSubmit={({ role: key = '' }) => {
      const { name = key } = roles.find((role) => role.key === key) ?? {}
      return onGrant({ key, name })
    }}
  >
    <RoleField roles={roles} />
  </Ask>
)
