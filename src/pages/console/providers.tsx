import { signal } from '@preact/signals'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Ago, Time } from '../shared/time.tsx'
import { named } from './action-buttons.tsx'
import { Copy } from './command-line.tsx'
import { Empty, Facts } from './parts.tsx'

interface Result {
  faults: Schemas['ProviderCheck']['faults']
  at: string
  /** Since when every check has failed. */
  failingSince: string | undefined
}

/** The last checks by provider, which stay while the console is open. */
const results = signal<Readonly<Record<string, Result>>>({})

async function check(key: string) {
  const params = { path: { key } }
  const { faults } = await ok(portal.POST('/api/admin/providers/{key}/check', { params }))
  const at = new Date().toISOString()
  const failingSince = faults.length > 0 ? (results.value[key]?.failingSince ?? at) : undefined
  results.value = { ...results.value, [key]: { faults, at, failingSince } }
}

const google = { kind: 'google', clientId: '…', clientSecretFile: '…' }
const example = JSON.stringify({ google }, null, 2)

/** The providers of the configuration, and whether each would sign users in now. */
export const Providers = () => (
  <Page title="Providers" about="Other sites whose accounts sign in here, as listed in PROVIDERS.">
    <Loaded from={useGet('/api/admin/providers', {})}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty
            title="There are no providers"
            action={
              <>
                <pre>{example}</pre>
                <Copy text={example} what="example" />
              </>
            }
          >
            Google, Microsoft, GitHub, Apple or your own. Write a file such as this one, name it in
            the variable <code>PROVIDERS</code>, and restart the portal.
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
  const { [key]: result } = results.value
  return (
    <li class="high">
      <div>
        <p class="summary">
          <strong>{name}</strong>
          {result?.failingSince ? (
            <span class="chip bad">
              Failing since <Time at={result.failingSince} />
            </span>
          ) : (
            <span class={result ? 'chip good' : 'chip'}>{result ? 'Works' : 'Not checked'}</span>
          )}
          {!listed && <span class="chip">Not listed</span>}
        </p>
        <div role="status">
          {result?.faults.length === 0 && (
            <p>
              Answers, and accepts the portal. Checked <Ago at={result.at} />.
            </p>
          )}
          {result?.faults.map(({ reason, message }) => (
            <p key={reason} class="mistake">
              {message}
            </p>
          ))}
        </div>
        <Facts
          of={{
            Key: <code>{key}</code>,
            Issuer: issuer,
            [required ? 'Only way in for' : 'Domains']: domains.join(', ')
          }}
        />
        <Facts
          of={{
            'Redirect URI': (
              <>
                <code>{redirectUri}</code> <Copy text={redirectUri} what="redirect URI" />
              </>
            )
          }}
        />
      </div>
      <Action label={named('Check', name)} kind="outline" onPress={() => check(key)} />
    </li>
  )
}
