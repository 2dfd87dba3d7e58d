import { useState } from 'preact/hooks'
import { capital } from '../shared/capital.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { OneAction } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { saveJson } from '../shared/save-file.ts'
import { user } from '../shared/session.ts'
import { Ago } from '../shared/time.tsx'
import { deviceOf, Setting } from './items.tsx'
import { useStatus } from './parts.tsx'
import { say } from './say.ts'
import { actions } from '../../common/words/actions-en.ts'

function Activity() {
  const loaded = useGet('/api/user/activity', { query: { limit: 10 } })
  const [more, setMore] = useState<Schemas['ActivityPage'][]>([])
  const { status, report } = useStatus()
  const loadMore = async (cursor: string) => {
    const params = { query: { limit: 50, cursor } }
    const next = await ok(portal.GET('/api/user/activity', { params }))
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
              <ul class="rows">
                {pages.flatMap(({ items }) =>
                  items.map((item) => <Item key={item.id} {...item} />)
                )}
              </ul>
              {typeof cursor === 'string' && (
                <OneAction label={say('more')} kind="outline" onPress={() => loadMore(cursor)} />
              )}
            </>
          )
        }}
      </Loaded>
      {status}
    </section>
  )
}

/** @param record one of the app says when it is recorded */
function Item(record: Schemas['ActivityRecord'] & { when?: string }) {
  const { at, action, outcome, actorId, ip, userAgent, details, when } = record
  const { role = '…', name = '…', scope = '…' } = details
  const isFailure = outcome === 'failure'
  const failure = `failed.${action}`
  const key = isFailure && isKnown(failure) ? failure : `action.${action}`
  const facts = [
    // The portal returns neither id nor address for actions of others, and no id before a sign-in.
    ...(actorId === user.value?.id || ip !== null ? [] : [say('by-others')]),
    deviceOf(userAgent),
    ip
  ].filter(Boolean)
  return (
    <li>
      <div>
        {isKnown(key) ? say(key, { role, name, scope }) : when ? capital(when) : inWords(action)}
        {isFailure && key !== failure && <strong> ({say('failed')})</strong>}
        <br />
        <small class="muted">
          <Ago at={at} />
          {facts.map((fact) => `, ${fact}`)}
        </small>
      </div>
    </li>
  )
}

/** An action without words of its own: `announcement.create` is shown as "announcement: create". */
const inWords = (action: string) => action.replace('.', ': ').replaceAll('-', ' ')
const isKnown = (key: string): key is keyof typeof actions => Object.hasOwn(actions, key)

export const Data = () => (
  <Page title={say('data')}>
    <Activity />
    <ul class="rows">
      <Setting
        title={say('download')}
        state={say('download-text')}
        button={say('download-action')}
        onPress={async () => saveJson('account.json', await ok(portal.GET('/api/user/export')))}
      />
      <Setting
        title={say('delete')}
        state={say('delete-about')}
        button={say('delete')}
        href="/delete"
        isDangerous
      />
    </ul>
  </Page>
)
