import { Link } from 'wouter-preact'
import { browserOf } from '../../../common/browsers.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet, useLoaded } from '../../shared/load.tsx'
import { user as me } from '../../shared/session.ts'
import { Ago } from '../../shared/time.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'
import { EndSession } from '../sessions.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { Row } from '../parts.tsx'

/** The newest live sessions of a user. */
export function UserSessions({ user }: UserProps) {
  const { id: userId, email } = user
  const query = { userId, state: 'active', limit: 50 } as const
  const sessions = useGet('/api/admin/sessions', { query })
  const { value: current } = useLoaded(['/api/user/sessions', userId], async (signal) => {
    if (me.value?.id !== userId) return undefined
    const params = { query: { limit: 100 } }
    const { items } = await ok(portal.GET('/api/user/sessions', { params, signal }))
    return items.find((session) => session.current)?.id
  })
  return (
    <section>
      <Loaded from={sessions}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <div class="empty">
                <h2>Not signed in</h2>
                <p>The browsers in which {shortName(user)} is signed in appear here.</p>
              </div>
            ) : (
              <ul class="rows" aria-label="Sessions">
                {items.map((session) => (
                  <Session
                    key={session.id}
                    user={user}
                    session={session}
                    isThisOne={session.id === current}
                  />
                ))}
              </ul>
            )}
            {nextCursor !== null && (
              <Link href={`/sessions?userId=${userId}`}>All sessions of this user</Link>
            )}
          </>
        )}
      </Loaded>
      <CommandLine words={['session list', ['--user', email]]} />
    </section>
  )
}

interface SessionProps extends UserProps {
  session: Schemas['Session']
  isThisOne: boolean
}

function Session({ user, session, isThisOne }: SessionProps) {
  const { userAgent, ip, createdAt, lastSeenAt, assurance } = session
  const browser = browserOf(userAgent) ?? 'Unknown browser'
  return (
    <Row
      title={browser}
      tip={userAgent ?? undefined}
      note={
        <>
          {' '}
          {assurance === 2 && <span class="chip">Second factor</span>}{' '}
          {isThisOne && <span class="chip chosen">This session</span>}
        </>
      }
      below={
        <>
          {ip}, last request <Ago at={lastSeenAt} />, signed in <Ago at={createdAt} />
        </>
      }
    >
      {may('sessions:revoke') && (
        <EndSession
          session={{ ...session, user }}
          about={browser}
          isMine={isThisOne}
          warning="This is the session that you use now. You sign in again afterwards."
        />
      )}
    </Row>
  )
}
