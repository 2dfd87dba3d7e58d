import { useState } from 'preact/hooks'
import { browserOf } from '../../domain/browsers.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Ago } from '../shared/time.tsx'
import { user } from '../shared/session.ts'
import { say } from './say.ts'
import { useStatus } from './status.tsx'
import { actions } from './words/actions-en.ts'

/** One page of the activity of the user, newest first. */
const loadActivity = (limit: number, cursor?: string | null) => {
  const query = { limit, ...(typeof cursor === 'string' && { cursor }) }
  return ok(portal.GET('/api/user/activity', { params: { query } }))
}

/** The actions of the user, and of others on their account. */
export function Activity() {
  const loaded = useGet('/api/user/activity', { query: { limit: 10 } })
  const [more, setMore] = useState<Schemas['ActivityPage'][]>([])
  const { status, report } = useStatus()
  const loadMore = async (cursor: string) => {
    const next = await loadActivity(50, cursor)
    setMore([...more, next])
    if (next.nextCursor === null) report(say('activity-end'))
  }
  return (
    <section>
      <h2>{say('activity')}</h2>
      <p class="muted">{say('activity-text')}</p>
      <Loaded from={loaded}>
        {(first) => {
          const pages = [first, ...more]
          const cursor = pages.at(-1)?.nextCursor
          return (
            <>
              <ul class="items">
                {pages.flatMap(({ items }) =>
                  items.map((item) => <Item key={item.id} {...item} />)
                )}
              </ul>
              {typeof cursor === 'string' && (
                <div class="actions">
                  <Action label={say('more')} kind="outline" onPress={() => loadMore(cursor)} />
                </div>
              )}
            </>
          )
        }}
      </Loaded>
      {status}
    </section>
  )
}

function Item(record: Schemas['ActivityRecord']) {
  const { at, action, outcome, actorId, ip, userAgent, details } = record
  const { role = '…', name = '…' } = details
  const isFailure = outcome === 'failure'
  const failure = `failed.${action}`
  const key = isFailure && isKnown(failure) ? failure : `action.${action}`
  const facts = [
    // For actions of others, the portal returns neither id nor address. Before a sign-in there is
    // no id.
    ...(actorId === user.value?.id || ip !== null ? [] : [say('by-others')]),
    browserOf(userAgent),
    ip
  ].filter(Boolean)
  return (
    <li>
      {isKnown(key) ? say(key, { role, name }) : inWords(action)}
      {isFailure && key !== failure && <strong> ({say('failed')})</strong>}
      <br />
      <small class="muted">
        <Ago at={at} />
        {facts.map((fact) => `, ${fact}`)}
      </small>
    </li>
  )
}

/** An action without words of its own: `announcement.create` is shown as "announcement: create". */
const inWords = (action: string) => action.replace('.', ': ').replaceAll('-', ' ')
const isKnown = (key: string): key is keyof typeof actions => Object.hasOwn(actions, key)
