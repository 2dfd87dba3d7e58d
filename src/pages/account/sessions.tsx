import { browserOf } from '../../common/browsers.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { useStatus, When } from './confirmed-action.tsx'
import { say } from './say.ts'

/** The sessions of the user, which they can end. */
export function Sessions() {
  // By default, a user has twenty at most.
  const loaded = useGet('/api/user/sessions', { query: { limit: 100 } })
  const { status, report } = useStatus()
  const reload = async (done: string) => {
    await loaded.reload()
    report(done)
  }
  return (
    <Page title={say('sessions')} about={say('sessions-about')}>
      <Loaded from={loaded}>
        {({ items: sessions }) => (
          <>
            {sessions.length === 1 ? (
              <p class="muted">{say('no-others')}</p>
            ) : (
              <div class="actions">
                <Action
                  label={say('end-others')}
                  isDangerous
                  onPress={async () => {
                    await ok(portal.DELETE('/api/user/sessions'))
                    await reload(say('end-others-done'))
                  }}
                />
              </div>
            )}
            {status}
            <ul class="rows items">
              {sessions
                .toSorted((one, other) => Number(other.current) - Number(one.current))
                .map((session) => (
                  <Item
                    key={session.id}
                    session={session}
                    onEnd={() => reload(say('end-session-done'))}
                  />
                ))}
            </ul>
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface ItemProps {
  session: Schemas['OwnSession']
  onEnd(): Promise<unknown>
}

function Item({ session, onEnd }: ItemProps) {
  const { id, userAgent, ip, createdAt, lastSeenAt, current } = session
  return (
    <li>
      <div>
        <strong>{browserOf(userAgent) ?? say('browser-unknown')}</strong>{' '}
        {current && <span class="chip chosen">{say('session-current')}</span>}
        <br />
        <small class="muted">
          <When text="session-seen" at={lastSeenAt} />
          {', '}
          <When text="session-started" at={createdAt} />
          {ip !== null && (
            <>
              <br />
              {ip}
            </>
          )}
        </small>
      </div>
      {!current && (
        <Action
          label={say('end-session')}
          isDangerous
          onPress={async () => {
            await ok(portal.DELETE('/api/user/sessions/{id}', { params: { path: { id } } }))
            await onEnd()
          }}
        />
      )}
    </li>
  )
}
