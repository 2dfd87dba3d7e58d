import type { ComponentChildren } from 'preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, reloadAll } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { counted } from '../grouped.ts'
import { Table, actions } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { Paging } from '../list/view.tsx'
import { may } from '../may.ts'
import { Fields, nameField } from '../name-fields.tsx'
import { Copy } from '../command-line.tsx'
import { wordsOf } from '../flags/when-form.ts'
import { shortName } from '../user/short-name.ts'

type ApiKey = Schemas['OwnedApiKey']

interface ApiKeysProps {
  /** A user or a service. */
  owner: { id: string }
  /** Beside the title. */
  action?: ComponentChildren
  /** In place of the list when there is no key. */
  children: ComponentChildren
}

/** The API keys of one owner, the newest first. */
export function ApiKeys({ owner: { id: owner }, action, children }: ApiKeysProps) {
  const { filters, from } = useList('/api/admin/keys', [], (filters) => ({ ...filters, owner }))
  return (
    <section>
      <div class="head">
        <h2>API keys</h2>
        {action}
      </div>
      <Loaded from={from}>
        {({ items }) =>
          items.length === 0 && filters.cursor === undefined ? (
            <p class="muted">{children}</p>
          ) : (
            <>
              <Table
                label="API keys"
                columns={may('keys:revoke') ? [...columns, revokeColumn] : columns}
                items={items}
                empty="There are no more keys."
              />
              <Paging {...{ from, filters }} noun="keys" />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const columns: Column<ApiKey, never>[] = [
  { title: 'Key', cell: ({ name }) => name, below: ({ lastFour }) => <code>…{lastFour}</code> },
  {
    title: 'State',
    cell: ({ state, expiresAt }) => {
      const isDue = state === 'active' && Date.parse(expiresAt) < Date.now() + expirySoon
      const [text, look] = isDue ? (['Expires soon', 'warn'] as const) : chips[state]
      return <span class={`chip ${look}`}>{text}</span>
    }
  },
  {
    title: 'Limits',
    cell: ({ permissions, networks }) => (
      <>
        {permissions && <Words of={permissions} noun="permission" />}
        {networks && (permissions ? ', only from ' : 'Only from ')}
        {networks && <Words of={networks} noun="network" />}
        {!permissions && !networks && 'None'}
      </>
    ),
    rank: 'less'
  },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} />),
    rank: 'less'
  },
  { title: 'Expires', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
  { title: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} />, rank: 'less' }
]

/** In milliseconds: 14 days, when a mail says so, too. */
const expirySoon = 14 * 86_400_000

const chips: Record<ApiKey['state'], readonly [text: string, look: string]> = {
  active: ['Active', 'good'],
  expired: ['Expired', ''],
  revoked: ['Revoked', 'bad']
}

/** Words that a key is limited to: all of them, or their number, which opens to them. */
function Words({ of: words, noun }: { of: readonly string[]; noun: string }) {
  const all = <code>{words.join(', ')}</code>
  const total = counted(words.length, noun)
  if (words.length === 0) return <>{total}</>
  if (words.length < 4) return all
  return (
    <details>
      <summary>{total}</summary>
      {all}
    </details>
  )
}

const revokeColumn = actions<ApiKey>(
  (apiKey) => apiKey.state === 'active' && <Revoke apiKey={apiKey} />
)

function Revoke({ apiKey: { id, name, lastFour } }: { apiKey: ApiKey }) {
  const short = shortName({ name })
  return (
    <ConfirmButton
      label="Revoke"
      about={`${short} …${lastFour}`}
      action={`Revoke ${short}`}
      isDangerous
      isQuiet
      words={['key revoke', id]}
      call={() => portal.DELETE('/api/admin/keys/{id}', { params: { path: { id } } })}
      done={`The key ${short} is revoked.`}
    >
      <p>
        The next request with this key is refused. It cannot be undone: whatever uses the key needs
        another one first.
      </p>
    </ConfirmButton>
  )
}

type Created = Schemas['CreatedApiKey']

interface CreateKeyProps {
  /** Key of the service. */
  service: string
  onCreated(created: Created): void
}

/** Creates an API key of a service. */
export const CreateKey = ({ service, onCreated }: CreateKeyProps) => (
  <ConfirmButton
    label="Create a key"
    action="Create"
    words={['key create', ['--service', service], '--days 90']}
    onSubmit={async ({ name = '', days = '', permissions = '', networks = '' }) => {
      const lists = { permissions: wordsOf(permissions), networks: wordsOf(networks) }
      const body = {
        name,
        ...(days.trim() !== '' && { days: Number(days) }),
        ...(lists.permissions.length > 0 && { permissions: lists.permissions }),
        ...(lists.networks.length > 0 && { networks: lists.networks })
      }
      const params = { path: { key: service } }
      onCreated(await ok(portal.POST('/api/admin/services/{key}/keys', { params, body })))
      await reloadAll()
    }}
  >
    <Fields
      of={[
        { ...nameField, hint: 'What the key is for.', autofocus: true },
        {
          ...{ label: 'Days', name: 'days', type: 'number', min: 1, max: 365 },
          hint: 'The key expires after this many days: 90 by default, and at most 365.'
        },
        {
          ...{ label: 'Permissions', name: 'permissions' },
          hint:
            'Limits the key to these, separated by spaces. ' +
            'Without any, it has those of its owner.'
        },
        {
          ...{ label: 'Networks', name: 'networks' },
          hint: 'The key works only from these, such as 192.0.2.0/24, separated by spaces.'
        }
      ]}
    />
  </ConfirmButton>
)

interface NewKeyProps {
  created: Created
  onStored(): void
}

/** A new key, as long as nobody has said that it is stored. */
export const NewKey = ({ created: { name, secret }, onStored }: NewKeyProps) => (
  <section aria-label="New key">
    <p role="status">
      This is the key {name}. It is shown only now: copy it to where it is used, or into a store for
      secrets.
    </p>
    <p>
      <code>{secret}</code> <Copy text={secret} what="key" />
    </p>
    <div class="actions">
      <button type="button" onClick={onStored}>
        It is stored
      </button>
    </div>
  </section>
)
