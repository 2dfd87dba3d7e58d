import { ok, portal } from '../shared/client.ts'
import { Action, OneAction } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { useStatus } from './parts.tsx'
import { deviceOf, Row } from './items.tsx'
import { say } from './say.ts'

export function Sessions() {
  // A user has at most twenty by default.
  const loaded = useGet('/api/user/sessions', { query: { limit: 100 } })
  const { status, report } = useStatus()
  const reload = async (done: string) => {
    await loaded.reload()
    report(done)
  }
  const endOthers = async () => {
    await ok(portal.DELETE('/api/user/sessions'))
    await reload(say('end-others-done'))
  }
  const end = (id: string) => async () => {
    await ok(portal.DELETE('/api/user/sessions/{id}', { params: { path: { id } } }))
    await reload(say('end-session-done'))
  }
  return (
    <Page title={say('sessions')} about={say('sessions-about')}>
      <Loaded from={loaded}>
        {({ items: sessions }) => (
          <>
            <ul class="rows">
              {sessions
                .toSorted((one, other) => Number(other.current) - Number(one.current))
                .map(({ id, userAgent, ip, createdAt, lastSeenAt, current }) => (
                  <Row
                    key={id}
                    name={deviceOf(userAgent) ?? say('browser-unknown')}
                    state={current && <span class="chip chosen">{say('session-current')}</span>}
                    times={{ 'session-seen': lastSeenAt, 'session-started': createdAt }}
                    below={ip}
                    actions={
                      !current && (
                        <Action label={say('end-session')} isDangerous onPress={end(id)} />
                      )
                    }
                  />
                ))}
            </ul>
            {status}
            {sessions.length === 1 ? (
              <p class="muted">{say('no-others')}</p>
            ) : (
              <OneAction label={say('end-others')} isDangerous onPress={endOthers} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
