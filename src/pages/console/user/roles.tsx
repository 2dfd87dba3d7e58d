import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Choice, Field } from '../../shared/controls.tsx'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { user as me } from '../../shared/session.ts'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton, ActionButton } from '../action-buttons.tsx'
import type { Call } from '../action-buttons.tsx'
import type { Words } from '../command-line.tsx'
import { may } from '../may.ts'
import { byName, loadRoles, nameOfRole } from '../roles/names.ts'
import { Row } from '../parts.tsx'
import { Actor } from '../user-link.tsx'
import { shortName } from './short-name.ts'
import { change } from '../shell/status.tsx'
import type { UserProps } from './short-name.ts'

/** The roles of a user, and who granted them. */
export function UserRoles({ user }: UserProps) {
  const { id, email } = user
  const grants = useGrants(user)
  return (
    <section>
      <OwnedRoles
        owner={user}
        mayChange={may('users:update')}
        isMine={me.value?.id === id}
        words={(action, key) => [[`user ${action}`, email], key]}
        callsFor={(key) => {
          const params = { path: { id, key } }
          return {
            grant: () => portal.PUT('/api/admin/users/{id}/roles/{key}', { params }),
            revoke: () => portal.DELETE('/api/admin/users/{id}/roles/{key}', { params })
          }
        }}
        noteOf={({ key, requiresSecondFactor }) => (
          <>
            <Granted of={key} records={grants.value} />{' '}
            {requiresSecondFactor && <span class="chip">Only with a second factor</span>}
          </>
        )}
      >
        {grants.error !== undefined && <ProblemNotice error={grants.error} />}
      </OwnedRoles>
    </section>
  )
}

type Named = Pick<Role, 'key' | 'name'>
type Held = Named & Partial<Role>

/** Returns the roles of an owner with what is known: there may be more roles than are loaded. */
const rolesOf = ({ roles }: { roles: readonly string[] }, all: readonly Role[]): Held[] =>
  roles.map((key) => all.find((role) => role.key === key) ?? { key, name: key }).toSorted(byName)

interface OwnedRolesProps {
  /** A user or a service. */
  owner: { name: string; roles: readonly string[] }
  mayChange: boolean
  /** Whether it is the signed-in user, who is asked before a role is revoked. */
  isMine?: boolean
  words(action: 'grant' | 'revoke', key: string): Words
  callsFor(key: string): Record<'grant' | 'revoke', () => Call>
  /** The line below the name of a role. */
  noteOf(role: Held): ComponentChildren
  /** Shown above the roles. */
  children?: ComponentChildren
}

/** The grant of a role and its revocation, each of which undoes the other. */
export function changesOf(
  owner: string,
  role: string,
  calls: Record<'grant' | 'revoke', () => Call>
) {
  const grant = (): Promise<unknown> =>
    change(calls.grant(), `${owner} has the role ${role} now.`, revoke)
  const revoke = (): Promise<unknown> =>
    change(calls.revoke(), `${owner} no longer has the role ${role}.`, grant)
  return { grant, revoke }
}

/** The roles of a user or a service, which can be granted and revoked. */
export function OwnedRoles(props: OwnedRolesProps) {
  const { owner, mayChange, isMine = false, words, callsFor, noteOf, children } = props
  const loaded = useRoles()
  const name = shortName(owner)
  const changesFor = (role: Named) => changesOf(name, shortName(role), callsFor(role.key))
  return (
    <>
      <div class="head">
        <h2>Roles</h2>
        {mayChange && (
          <ConfirmButton
            label="Grant a role"
            action="Grant"
            words={words('grant', 'ROLE')}
            onSubmit={({ role: key = '' }) => changesFor({ key, name: nameOfRole(key) }).grant()}
          >
            <RoleField has={({ key, scoped }) => !scoped && !owner.roles.includes(key)} />
          </ConfirmButton>
        )}
      </div>
      {children}
      <Loaded from={loaded}>
        {(all = []) =>
          owner.roles.length === 0 ? (
            <p class="muted">{name} has no role, and may do nothing.</p>
          ) : (
            <ul class="rows" aria-label="Roles">
              {rolesOf(owner, all).map((role) => (
                <Row
                  key={role.key}
                  title={<Link href={`/roles/${role.key}`}>{role.name}</Link>}
                  note={<code class="muted"> {role.key}</code>}
                  below={noteOf(role)}
                >
                  {mayChange && (
                    <ActionButton
                      label="Revoke"
                      about={isMine ? shortName(role) : role.name}
                      action={`Revoke my role ${shortName(role)}`}
                      words={words('revoke', role.key)}
                      question={isMine && ownRole}
                      onPress={changesFor(role).revoke}
                    />
                  )}
                </Row>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

const ownRole =
  'This is your own role. You lose its permissions at once, and may not be able to grant it to ' +
  'yourself again.'

type Records = Schemas['ActivityRecord'][] | undefined

/** Names who gave the role, as far as it was recorded. */
function Granted({ of: key, records }: { of: string; records: Records }) {
  if (!records) return may('activity:read') ? null : <>Who granted it needs activity:read</>
  const record = records.find(({ details }) => details.role === key)
  if (record) {
    return (
      <>
        Granted by <Actor of={record} /> <Ago at={record.at} />
      </>
    )
  }
  return key === 'user' ? <>Granted with the account</> : null
}

interface RoleFieldProps {
  /** The text for no role. */
  none?: string
  value?: string | undefined
  /** Which roles to choose from. */
  has?(role: Role): boolean
}

/** A role by its name. Without the permission to list roles, one types its key. */
export function RoleField({ none, value = '', has = () => true }: RoleFieldProps) {
  const roles = useRoles().value
  const field = { label: 'Role', name: 'role', defaultValue: value }
  if (!roles) return <Field {...field} required={none === undefined} maxLength={64} />
  const options = roles.filter(has).map(({ key, name }) => [key, name] as const)
  const isListed = value === '' || options.some(([key]) => key === value)
  const more: [string, string][] = none === undefined ? [] : [['', none]]
  if (!isListed) more.push([value, value])
  return <Choice {...field} options={[...more, ...options]} />
}

type Role = Schemas['Role']

/** All roles, by name. Undefined without permission. */
export const useRoles = () => useLoaded(['/api/admin/roles', 'all'], loadRoles)

/** The records that say who gave a user a role, newest first. Undefined without permission. */
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
