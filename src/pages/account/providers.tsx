import { useEffect } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { takeLinked } from '../shared/led-back.ts'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { here, leaveFor } from '../shared/providers.tsx'
import { options } from '../shared/session-calls.ts'
import { ConfirmedAction } from './confirmed-action.tsx'
import { say } from './say.ts'
import { useStatus } from './status.tsx'
import { When } from './when.tsx'

type Account = Schemas['ProviderAccount']

/** All of them, which fit on one page. */
const load = async () => (await ok(portal.GET('/api/user/providers'))).items

const link = (key: string) => {
  const page = here()
  const query = `${page.includes('?') ? '&' : '?'}linked=${encodeURIComponent(key)}`
  return leaveFor(key, { intent: 'link', returnTo: page + query })
}

/** The accounts of the user at providers. */
export function Providers() {
  const loaded = useLoaded('providers', load)
  const { status, report } = useStatus()
  const providers = options.value?.providers ?? []
  useEffect(() => {
    const linked = takeLinked()
    const name = providers.find(({ key }) => key === linked)?.name
    if (name !== undefined) report(say('provider-linked', { name }))
  }, [])
  const unlink = async ({ id, name }: Account) => {
    await ok(portal.DELETE('/api/user/providers/{id}', { params: { path: { id } } }))
    await loaded.reload()
    report(say('provider-unlinked', { name }))
  }
  // A portal without providers looks as it did before.
  const isEmpty = 'value' in loaded && loaded.value.length === 0
  if (providers.length === 0 && (isEmpty || !('value' in loaded))) return null
  return (
    <section>
      <h2>{say('providers')}</h2>
      <p class="muted">{say('providers-text')}</p>
      <Loaded from={loaded}>
        {(accounts) => (
          <>
            {accounts.length === 0 && <p>{say('providers-none')}</p>}
            <ul class="rows items" aria-label={say('providers')}>
              {accounts.map((account) => (
                <Item key={account.id} account={account} onUnlink={() => unlink(account)} />
              ))}
            </ul>
            <div class="actions">
              {providers
                .filter(({ key }) => !accounts.some(({ provider }) => provider === key))
                .map(({ key, name }) => (
                  <Action
                    key={key}
                    label={say('provider-link', { name })}
                    kind="outline"
                    onPress={() => link(key)}
                  />
                ))}
            </div>
          </>
        )}
      </Loaded>
      {status}
    </section>
  )
}

function Item({ account, onUnlink }: { account: Account; onUnlink(): Promise<unknown> }) {
  const { name, email, createdAt, lastUsedAt } = account
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <br />
        <small class="muted">
          {email !== null && (
            <>
              {email}
              <br />
            </>
          )}
          <When text="provider-since" at={createdAt} />
          {lastUsedAt !== null && (
            <>
              , <When text="passkey-used" at={lastUsedAt} />
            </>
          )}
        </small>
      </div>
      <div class="actions">
        <ConfirmedAction
          label={say('provider-unlink')}
          title={say('provider-unlink-title', { name })}
          text={say('provider-unlink-text')}
          onConfirm={onUnlink}
        />
      </div>
    </li>
  )
}
