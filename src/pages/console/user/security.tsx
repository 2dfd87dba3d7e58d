import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Username } from '../../shared/fields.tsx'
import { renew } from '../../shared/load.tsx'
import { user as me } from '../../shared/session.ts'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { ApiKeys } from '../keys/keys.tsx'
import { may } from '../may.ts'
import { Needs } from '../needs.tsx'
import { report } from '../shell/status.tsx'
import { Factors } from './factors.tsx'
import { Providers } from './providers.tsx'
import { shortName } from './short-name.ts'

interface UserProps {
  user: Schemas['User']
}

/** How a user signs in, and the keys that act for the user. */
export const Security = ({ user }: UserProps) => (
  <>
    <section>
      <h2>Second factors</h2>
      <Factors user={user} />
      <CommandLine words={[['user factors', user.email]]} />
    </section>
    <Providers user={user} />
    <Needs permission="keys:read" title="API keys">
      <ApiKeys owner={user}>
        {shortName(user)} has none. Users with the permission <code>keys:create</code> create keys
        on their account pages.
      </ApiKeys>
    </Needs>
    {may('users:update') && <Password user={user} />}
  </>
)

function Password({ user }: UserProps) {
  const { id, email } = user
  const name = shortName(user)
  return (
    <section>
      <h2>Password</h2>
      <p class="muted">
        {me.value?.id === id ? (
          'Setting one here ends all your sessions, including this one.'
        ) : (
          <>
            If {name} receives mail, <em>Send reset link</em> is better: then nobody else knows the
            password. Setting one here ends all sessions.
          </>
        )}
      </p>
      <div class="actions">
        <Ask
          label="Set a password"
          words={[['user set-password', email]]}
          onSubmit={async ({ password = '' }) => {
            const params = { path: { id } }
            await ok(portal.PUT('/api/admin/users/{id}/password', { params, body: { password } }))
            await renew()
            report(`${name} has a new password, and is signed out everywhere.`)
          }}
        >
          <p>This ends all sessions of {name}.</p>
          <Username email={email} />
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            required
            maxLength={128}
          />
        </Ask>
      </div>
    </section>
  )
}
