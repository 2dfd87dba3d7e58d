import type { ComponentChildren } from 'preact'
import { expirySoon } from '../../../common/days.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Check, Choice, Field } from '../../shared/controls.tsx'
import { reloadAll } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ActionButton, ConfirmButton } from '../action-buttons.tsx'
import { lengthOf } from '../counts.ts'
import { actions } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { LoadedTable } from '../list/paging.tsx'
import { may } from '../may.ts'
import { nameField } from '../name-fields.tsx'
import { wordsOf } from '../flags/when-form.ts'
import { shortName } from '../user/short-name.ts'
import { newKey } from './new-key.tsx'

type ApiKey = Schemas['OwnedApiKey']

interface ApiKeysProps {
  /** A user or a service. */
  owner: { id: string }
  /** Beside the title. */
  action?: ComponentChildren
  /** The key of the service, if its keys can be rotated. */
  rotates?: string | undefined
  /** In place of the list when there is no key. */
  children: ComponentChildren
}

/** The API keys of one owner, the newest first. */
export function ApiKeys({ owner: { id: owner }, action, rotates, children }: ApiKeysProps) {
  const { filters, from } = useList('/api/admin/keys', [], (filters) => ({ ...filters, owner }))
  return (
    <section>
      <div class="head">
        <h2>API keys</h2>
        {action}
      </div>
      <LoadedTable
        label="API keys"
        columns={[
          ...columns,
          actions<ApiKey>(
            (apiKey) =>
              apiKey.state === 'active' && (
                <>
                  {rotates !== undefined && <Rotate service={rotates} apiKey={apiKey} />}
                  {may('keys:revoke') && <Revoke apiKey={apiKey} />}
                </>
              )
          )
        ]}
        {...{ from, filters }}
        noun="keys"
        empty={filters.cursor === undefined ? children : 'There are no more keys.'}
      />
    </section>
  )
}

const columns: Column<ApiKey, never>[] = [
  { title: 'Key', cell: ({ name }) => name, below: ({ lastFour }) => <code>…{lastFour}</code> },
  {
    title: 'State',
    cell: ({ state, expiresAt }) => {
      const isDue =
        state === 'active' && Date.parse(expiresAt) < Date.now() + expirySoon * lengthOf.day
      const [text, look] = isDue ? (['Expires soon', 'warn'] as const) : chips[state]
      return <span class={`chip ${look}`}>{text}</span>
    }
  },
  {
    title: 'Limits',
    cell: ({ permissions, networks }) => (
      <>
        {permissions && <code>{permissions.join(', ')}</code>}
        {permissions && networks && <br />}
        {networks && (
          <>
            Only from <code>{networks.join(', ')}</code>
          </>
        )}
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

const chips: Record<ApiKey['state'], readonly [text: string, look: string]> = {
  active: ['Active', 'good'],
  expired: ['Expired', ''],
  revoked: ['Revoked', 'bad']
}

function Revoke({ apiKey: { id, name, lastFour } }: { apiKey: ApiKey }) {
  const short = shortName({ name })
  return (
    <ActionButton
      label="Revoke"
      about={`${short} …${lastFour}`}
      action={`Revoke ${short}`}
      words={['key revoke', id]}
      call={() => portal.DELETE('/api/admin/keys/{id}', { params: { path: { id } } })}
      done={`The key ${short} is revoked.`}
      question={
        'The next request with this key is refused. It cannot be undone: whatever uses the key ' +
        'needs another one first.'
      }
    />
  )
}

/** Creates a key of a service, and shows it until somebody has stored it. */
async function create(service: string, body: Schemas['NewApiKey']) {
  const params = { path: { key: service } }
  const created = await ok(portal.POST('/api/admin/services/{key}/keys', { params, body }))
  newKey.value = { kind: 'key', ...created }
  await reloadAll()
}

/** Creates a key like this one, which works on until it is revoked. */
function Rotate({ service, apiKey }: { service: string; apiKey: ApiKey }) {
  const { name, lastFour, permissions, networks, createdAt, expiresAt } = apiKey
  const short = shortName({ name })
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / lengthOf.day)
  return (
    <ConfirmButton
      label="Rotate"
      about={`${short} …${lastFour}`}
      action="Create the next key"
      words={['key create', ['--service', service], ['--name', name], ['--days', String(days)]]}
      onSubmit={() =>
        create(service, {
          ...{ name, days: Math.max(1, days) },
          ...(permissions && { permissions }),
          ...(networks && { networks })
        })
      }
    >
      <p>
        Creates a key with the same name, limits and lifetime. Both work until you revoke the old
        one, or until it expires <Ago at={expiresAt} />.
      </p>
    </ConfirmButton>
  )
}

const lifetimes = [90, 30, 180, 365]

/** Creates an API key of a service, which can have any of the permissions of the service. */
export const CreateKey = ({ service }: { service: Schemas['Service'] }) => (
  <ConfirmButton
    label="Create a key"
    action="Create"
    words={['key create', ['--service', service.key], '--days 90']}
    onSubmit={async ({ name = '', days = '', networks = '', ...fields }) => {
      const permissions = service.permissions.filter((each) => fields[`permissions/${each}`])
      const list = wordsOf(networks)
      await create(service.key, {
        ...{ name, days: Number(days) },
        ...(permissions.length > 0 && { permissions }),
        ...(list.length > 0 && { networks: list })
      })
    }}
  >
    <Field {...nameField} hint="What the key is for." autofocus />
    <Choice
      label="Expires after"
      name="days"
      options={lifetimes.map((days) => [String(days), `${days} days`])}
    />
    {service.permissions.length > 0 && (
      <fieldset>
        <legend>Only these permissions; without any, all of the service</legend>
        {service.permissions.map((each) => (
          <Check key={each} label={<code>{each}</code>} name={`permissions/${each}`} />
        ))}
      </fieldset>
    )}
    <Field
      label="Networks"
      name="networks"
      hint="The key works only from these, such as 192.0.2.0/24, separated by spaces."
    />
  </ConfirmButton>
)
