import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import { Action } from '../shared/form.tsx'
import { useLoaded } from '../shared/load.tsx'
import type { Loading } from '../shared/load.tsx'
import { Items, Row, Setting } from './items.tsx'
import { Copy, SavingForm } from './parts.tsx'
import { say } from './say.ts'

/** The active keys: at most 50, which are among the newest 100. */
const load = async () => {
  const { items } = await ok(portal.GET('/api/user/keys', { params: { query: { limit: 100 } } }))
  return items.filter(({ state }) => state === 'active')
}

/** The API keys of a user who may create some. */
export function ApiKeys() {
  const loaded = useLoaded('keys', load)
  const { length = 0 } = loaded.value ?? []
  return (
    <Setting
      title={say('keys')}
      state={length > 0 ? say('keys-count', { count: length }) : say('keys-text')}
      button={say(length > 0 ? 'manage' : 'set-up')}
      dialog={(close) => <KeyDialog loaded={loaded} onClose={close} />}
    />
  )
}

type Loaded = Loading<Awaited<ReturnType<typeof load>>>

/** A new key is shown until it is stored: the dialog cannot be closed before. */
function KeyDialog({ loaded, onClose }: { loaded: Loaded; onClose(): void }) {
  const [created, setCreated] = useState<Schemas['CreatedApiKey']>()
  const create = async ({ name = '', days = '' }) => {
    const body = { name, ...(days.trim() !== '' && { days: Number(days) }) }
    setCreated(await ok(portal.POST('/api/user/keys', { body })))
    await loaded.reload()
  }
  return (
    <Items
      kind="keys"
      from={loaded}
      onClose={created ? undefined : onClose}
      onRemove={async ({ id }) => {
        await ok(portal.DELETE('/api/user/keys/{id}', { params: { path: { id } } }))
        await loaded.reload()
      }}
      row={({ id, name, lastFour, expiresAt, lastUsedAt }, revoke) => (
        <Row
          key={id}
          name={name}
          state={<code>…{lastFour}</code>}
          times={{
            'key-expires': expiresAt,
            ...(lastUsedAt === null ? { 'key-unused': '' } : { 'last-used': lastUsedAt })
          }}
          actions={revoke}
        />
      )}
      above={
        created ? (
          <NewKey secret={created.secret} onStored={() => setCreated(undefined)} />
        ) : (
          <SavingForm action={say('key-create')} onSubmit={create}>
            <Field
              label={say('key-name')}
              name="name"
              hint={say('key-name-hint')}
              required
              maxLength={80}
            />
            <Field
              label={say('key-days')}
              name="days"
              inputMode="numeric"
              hint={say('key-days-hint')}
              maxLength={3}
            />
          </SavingForm>
        )
      }
    />
  )
}

const NewKey = ({ secret, onStored }: { secret: string; onStored(): void }) => (
  <>
    <p role="status">{say('key-created-text')}</p>
    <p class="codes">
      <code>{secret}</code>
    </p>
    <div class="actions">
      <Copy text={secret} />
      <Action label={say('key-stored')} onPress={onStored} />
    </div>
  </>
)
