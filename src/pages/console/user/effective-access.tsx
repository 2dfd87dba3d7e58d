import { useState } from 'preact/hooks'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { CommandLine, quoted } from '../command-line.tsx'
import { useParameters } from '../list/address.ts'
import { SessionChoice, UserFlags } from './flags.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { Facts, Keys } from '../parts.tsx'

type Seen = Schemas['SeenUser']

/** Shows who the app thinks the user is, what they may do, and their flags. */
export function EffectiveAccess({ user }: UserProps) {
  const { id } = user
  const [{ assurance }] = useParameters(['assurance'])
  const query = assurance === '1' || assurance === '2' ? { assurance: Number(assurance) } : {}
  const loaded = useGet('/api/admin/users/{id}/seen', { path: { id }, query })
  return (
    <>
      <section>
        <p class="muted">
          What an app sees when {shortName(user)} is signed in to it, in this kind of session:
        </p>
        <SessionChoice />
      </section>
      <Loaded from={loaded}>
        {(seen) => (
          <>
            <Permission user={user} seen={seen} />
            <section>
              <h2>What the app is told</h2>
              <Me user={user} seen={seen} />
            </section>
          </>
        )}
      </Loaded>
      <UserFlags user={user} isPart />
    </>
  )
}

interface EffectiveAccessProps extends UserProps {
  seen: Seen
}

const factors = (assurance: number) => (assurance === 2 ? 'two factors' : 'one factor')

function Me({ user, seen: { user: me, assurance } }: EffectiveAccessProps) {
  if (!me) {
    return <p>{shortName(user)} is deactivated and cannot sign in: the app gets no user.</p>
  }
  return (
    <>
      <p class="muted">
        The response to <code>GET /api/auth/me</code> in a session with {factors(assurance)}.
      </p>
      <Facts
        of={{
          'Roles in this session': me.roles.length > 0 ? <Keys of={me.roles} /> : 'none',
          'Roles that wait for a second factor': me.suspendedRoles.join(', ')
        }}
      />
      <details>
        <summary>The whole response</summary>
        <pre tabIndex={0} aria-label="Response to GET /api/auth/me">
          {JSON.stringify(me, null, 2)}
        </pre>
      </details>
    </>
  )
}

/** Whether the user may do something, and why. */
function Permission({ user, seen }: EffectiveAccessProps) {
  const [asked, setAsked] = useState('')
  const { assurance, permissions } = seen
  const key = asked.trim()
  return (
    <section>
      <h2>What they may do</h2>
      <div class="filters">
        <Field
          label="Permission"
          name="permission"
          list="seen-permissions"
          maxLength={80}
          value={asked}
          onValue={setAsked}
        />
      </div>
      <datalist id="seen-permissions">
        {permissions.map((each) => (
          <option key={each.key} value={each.key} />
        ))}
      </datalist>
      <p role="status" class={key === '' ? 'muted' : undefined}>
        {key === '' ? 'Enter one, such as users:read.' : answer(user, seen, key)}
      </p>
      {key && (
        <CommandLine
          words={[['user can', user.email], quoted(key), ['--assurance', String(assurance)]]}
        />
      )}
    </section>
  )
}

function answer(user: Schemas['User'], { user: me, assurance, permissions }: Seen, key: string) {
  const name = shortName(user)
  if (!me) return `No: ${name} is deactivated.`
  const { grantedBy = [], withheldBy = [] } = permissions.find((each) => each.key === key) ?? {}
  if (grantedBy.length > 0) {
    return `Yes, with ${factors(assurance)}: ${key} comes from ${grantedBy.join(', ')}.`
  }
  if (withheldBy.length > 0) {
    const roles = withheldBy.join(', ')
    return `Not with ${factors(assurance)}: ${roles} would give ${key}, and needs a second factor.`
  }
  return `No: no role of ${name} has ${key}.`
}
