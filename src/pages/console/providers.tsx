import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { named } from './action-buttons.tsx'
import { Copy } from './command-line.tsx'
import { Empty } from './parts.tsx'

/** The providers of the configuration, and whether each would sign users in now. */
export const Providers = () => (
  <Page title="Providers" about="Where users sign in with an account that they already have.">
    <Loaded from={useGet('/api/admin/providers', {})}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="There are no providers" command="portal provider list">
            Google, Microsoft, GitHub, Apple or your own: the file of <code>PROVIDERS</code> names
            them.
          </Empty>
        ) : (
          <ul class="rows" aria-label="Providers">
            {items.map((provider) => (
              <Provider key={provider.key} of={provider} />
            ))}
          </ul>
        )
      }
    </Loaded>
  </Page>
)

function Provider({ of }: { of: Schemas['ConfiguredProvider'] }) {
  const { key, name, issuer, domains, required, listed, redirectUri } = of
  const [check, setCheck] = useState<Schemas['ProviderCheck']>()
  return (
    <li>
      <div>
        <strong>{name}</strong> {!listed && <span class="chip">Not listed</span>}
        {domains.length > 0 && (
          <>
            {' '}
            {required ? 'only way in for' : 'for'} {domains.join(', ')}
          </>
        )}
        <br />
        <small class="muted">
          {issuer}
          <br />
          Redirect URI: <code>{redirectUri}</code> <Copy text={redirectUri} what="redirect URI" />
        </small>
        <div role="status">
          {check?.faults.length === 0 && (
            <span class="chip good">Answers, and accepts the portal</span>
          )}
          {check?.faults.map(({ reason, message }) => (
            <p key={reason} class="mistake">
              {message}
            </p>
          ))}
        </div>
      </div>
      <Action
        label={named('Check', name)}
        kind="outline"
        onPress={async () => {
          setCheck(undefined)
          const params = { path: { key } }
          setCheck(await ok(portal.POST('/api/admin/providers/{key}/check', { params })))
        }}
      />
    </li>
  )
}
