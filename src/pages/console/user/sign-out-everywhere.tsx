import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { renew, useLoaded } from '../../shared/load.tsx'
import { user as me } from '../../shared/session.ts'
import { Ask } from '../ask.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'

const most = 50

/** Ends all sessions of a user. */
export function SignOutEverywhere({ user }: { user: Schemas['User'] }) {
  const { id: userId, email } = user
  const name = shortName(user)
  const query = { userId, state: 'active', limit: most } as const
  const { value: live } = useLoaded(['/api/admin/sessions', 'count', userId], async (signal) =>
    may('sessions:read')
      ? (await ok(portal.GET('/api/admin/sessions', { params: { query }, signal }))).items.length
      : undefined
  )
  const sessions = live !== undefined && live > 0 && live < most ? counted(live) : undefined
  return (
    <Ask
      label="Sign out everywhere"
      action={`Sign out ${name}`}
      words={['session revoke', ['--user', email]]}
      isDangerous
      isQuiet
      onSubmit={async () => {
        await ok(portal.DELETE('/api/admin/sessions', { params: { query: { userId } } }))
        report(
          `${name} is signed out everywhere.` +
            (sessions === undefined ? '' : ` ${sessions} ${live === 1 ? 'has' : 'have'} ended.`)
        )
        await renew()
      }}
    >
      <p>
        {live === 0
          ? `${name} has no live session.`
          : `Ends ${sessions ?? 'every session'} of ${name}. The next request of each is rejected.`}
        {me.value?.id === userId && ' These are your own sessions: you sign in again afterwards.'}
      </p>
    </Ask>
  )
}

const counted = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`)
