import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { ConfirmedAction, SavingForm, useCopy, useStatus, When } from './confirmed-action.tsx'
import { say } from './say.ts'

/** The newest ones. At most 50 are active. */
const load = async () =>
  (await ok(portal.GET('/api/user/keys', { params: { query: { limit: 100 } } }))).items

/** The API keys of a user who may create some. A new one is shown until it is stored. */
export function ApiKeys() {
  const loaded = useLoaded('keys', load)
  const [created, setCreated] = useState<Schemas['CreatedApiKey']>()
  const { status, report } = useStatus()
  const revoke = async ({ id, name }: Schemas['ApiKey']) => {
    await ok(portal.DELETE('/api/user/keys/{id}', { params: { path: { id } } }))
    await loaded.reload()
    report(say('key-revoke-done', { name }))
  }
  return (
    <section>
      <h2>{say('keys')}</h2>
      <p class="muted">{say('keys-text')}</p>
      {created ? (
        <NewKey secret={created.secret} onStored={() => setCreated(undefined)} />
      ) : (
        <CreateKey
          onDone={async (key) => {
            setCreated(key)
            await loaded.reload()
          }}
        />
      )}
      {status}
      <Loaded from={loaded}>
        {(keys) => {
          const active = keys.filter(({ state }) => state === 'active')
          return (
            <>
              {active.length === 0 && <p>{say('keys-none')}</p>}
              <ul class="rows items" aria-label={say('keys')}>
                {active.map((key) => (
                  <Item key={key.id} apiKey={key} onRevoke={() => revoke(key)} />
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

function CreateKey({ onDone }: { onDone(key: Schemas['CreatedApiKey']): Promise<unknown> }) {
  const create = async ({ name = '', days = '' }) =>
    onDone(
      await ok(
        portal.POST('/api/user/keys', {
          body: { name, ...(days.trim() !== '' && { days: Number(days) }) }
        })
      )
    )
  return (
    <SavingForm action={say('key-create')} onSubmit={create}>
      <Field
        label={say('key-name')}
        name="name"
        autocomplete="off"
        hint={say('key-name-hint')}
        required
        maxLength={80}
      />
      <Field
        label={say('key-days')}
        name="days"
        inputMode="numeric"
        autocomplete="off"
        hint={say('key-days-hint')}
        maxLength={3}
      />
    </SavingForm>
  )
}

function NewKey({ secret, onStored }: { secret: string; onStored(): void }) {
  const { button, status } = useCopy(secret)
  return (
    <>
      <p role="status">{say('key-created-text')}</p>
      <p class="codes">
        <code>{secret}</code>
      </p>
      <div class="actions">
        {button}
        <button type="button" onClick={onStored}>
          {say('key-stored')}
        </button>
      </div>
      {status}
    </>
  )
}

interface ItemProps {
  apiKey: Schemas['ApiKey']
  onRevoke(): Promise<unknown>
}

function Item({ apiKey, onRevoke }: ItemProps) {
  const { name, lastFour, expiresAt, lastUsedAt } = apiKey
  return (
    <li>
      <div>
        <strong>{name}</strong> <code>…{lastFour}</code>
        <br />
        <small class="muted">
          <When text="key-expires" at={expiresAt} />
          {', '}
          {lastUsedAt === null ? say('key-unused') : <When text="passkey-used" at={lastUsedAt} />}
        </small>
      </div>
      <div class="actions">
        <ConfirmedAction
          label={say('key-revoke')}
          title={say('key-revoke-title', { name })}
          text={say('key-revoke-text')}
          onConfirm={onRevoke}
        />
      </div>
    </li>
  )
}
