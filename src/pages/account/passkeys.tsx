import { useState } from 'preact/hooks'
import * as device from '../../client/passkeys.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import { Form } from '../shared/form.tsx'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Mistake } from '../shared/problem.tsx'
import { user } from '../shared/session.ts'
import { ConfirmedAction, SavingForm, useStatus, When } from './confirmed-action.tsx'
import { say } from './say.ts'

/** All of them, which fit on one page. */
const load = async () => (await ok(portal.GET('/api/user/passkeys'))).items

const tellOfRemoval = async (removed: Schemas['Passkey']) => {
  if (user.value) await device.tellDevice(user.value.id, await load(), removed)
}

/** The passkeys of the user. */
export function Passkeys({ onChange }: { onChange(): Promise<unknown> }) {
  const loaded = useLoaded('passkeys', load)
  const { status, report } = useStatus()
  const changed = () => Promise.all([loaded.reload(), onChange()])
  const remove = async (passkey: Schemas['Passkey']) => {
    const path = { id: passkey.id }
    await ok(portal.DELETE('/api/user/passkeys/{id}', { params: { path } }))
    await Promise.all([tellOfRemoval(passkey).catch(() => {}), changed()])
    report(say('passkey-remove-done', { name: passkey.name }))
  }
  return (
    <section>
      <h3>{say('passkeys')}</h3>
      <p class="muted">{say('passkeys-text')}</p>
      <Loaded from={loaded}>
        {(passkeys) => (
          <>
            {passkeys.length === 0 && <p>{say('passkeys-none')}</p>}
            <ul class="rows items" aria-label={say('passkeys')}>
              {passkeys.map((passkey) => (
                <Item
                  key={passkey.id}
                  passkey={passkey}
                  onRename={async () => {
                    await loaded.reload()
                    report(say('saved'))
                  }}
                  onRemove={() => remove(passkey)}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {status}
      <AddPasskey onDone={changed} />
    </section>
  )
}

interface AddPasskeyProps {
  /** Token of an enrolment link. */
  token?: string
  onDone(): Promise<unknown>
}

/** Creates a passkey on this device, or on another one that the browser offers. */
export function AddPasskey({ token, onDone }: AddPasskeyProps) {
  if (!device.isSupported) return <p>{say('passkeys-unsupported')}</p>
  const add = async ({ name = '' }) => {
    const options = await ok(portal.POST('/api/user/passkeys/options'))
    const credential = await device.make(options).catch((error: unknown) => {
      const isHere = error instanceof DOMException && error.name === 'InvalidStateError'
      throw isHere ? new Mistake(say('passkey-here')) : error
    })
    const body = {
      credential,
      ...(name.trim() !== '' && { name }),
      ...(token !== undefined && { token })
    }
    await ok(portal.POST('/api/user/passkeys', { body }))
    await onDone()
  }
  return (
    <SavingForm action={say('passkey-add')} onSubmit={add}>
      <Field
        label={say('passkey-name')}
        name="name"
        autocomplete="off"
        hint={say('passkey-name-hint')}
        maxLength={40}
      />
    </SavingForm>
  )
}

interface ItemProps {
  passkey: Schemas['Passkey']
  onRename(): Promise<unknown>
  onRemove(): Promise<unknown>
}

function Item({ passkey: { id, name, createdAt, lastUsedAt }, onRename, onRemove }: ItemProps) {
  const [isRenaming, setRenaming] = useState(false)
  const rename = async ({ name = '' }) => {
    const params = { path: { id } }
    await ok(portal.PATCH('/api/user/passkeys/{id}', { params, body: { name } }))
    await onRename()
    setRenaming(false)
  }
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <br />
        <small class="muted">
          <When text="passkey-added" at={createdAt} />
          {lastUsedAt !== null && (
            <>
              , <When text="passkey-used" at={lastUsedAt} />
            </>
          )}
        </small>
      </div>
      <div class="actions">
        <button
          type="button"
          class="secondary outline"
          aria-expanded={isRenaming}
          onClick={() => setRenaming(!isRenaming)}
        >
          {say('rename')}
        </button>
        <ConfirmedAction
          label={say('remove')}
          title={say('passkey-remove', { name })}
          text={say('passkey-remove-text')}
          onConfirm={onRemove}
        />
      </div>
      {isRenaming && (
        <Form action={say('save')} onSubmit={rename}>
          <Field
            label={say('passkey-name')}
            name="name"
            autocomplete="off"
            defaultValue={name}
            required
            maxLength={40}
            autofocus
          />
        </Form>
      )}
    </li>
  )
}
