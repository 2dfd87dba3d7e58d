import { useState } from 'preact/hooks'
import * as device from '../../client/passkeys.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import type { FieldProps } from '../shared/controls.tsx'
import { Action, Form } from '../shared/form.tsx'
import { useLoaded } from '../shared/load.tsx'
import { Mistake } from '../shared/problem.tsx'
import { user } from '../shared/session.ts'
import { Items, Row, Setting } from './items.tsx'
import { SavingForm } from './parts.tsx'
import { say } from './say.ts'
import type { SecurityProps } from './second-factor.tsx'

type Passkey = Schemas['Passkey']

/** All of them, which fit on one page. */
const load = async () => (await ok(portal.GET('/api/user/passkeys'))).items

const tellOfRemoval = async (removed: Passkey) => {
  if (user.value) await device.tellDevice(user.value.id, await load(), removed)
}

export const Passkeys = ({ security: { passkeys }, onChange }: SecurityProps) => (
  <Setting
    title={say('passkeys')}
    chip={passkeys > 0 && <span class="chip good">{say('active')}</span>}
    state={
      passkeys === 0
        ? say('passkeys-text')
        : say(passkeys === 1 ? 'factor-passkey' : 'factor-passkeys', { count: passkeys })
    }
    button={say(passkeys === 0 ? 'set-up' : 'manage')}
    dialog={(close) => <PasskeyDialog onChange={onChange} onClose={close} />}
  />
)

function PasskeyDialog({ onChange, onClose }: { onChange(): Promise<unknown>; onClose(): void }) {
  const loaded = useLoaded('passkeys', load)
  const [renamed, setRenamed] = useState<string>()
  const changed = () => Promise.all([loaded.reload(), onChange()])
  const remove = async (passkey: Passkey) => {
    const path = { id: passkey.id }
    await ok(portal.DELETE('/api/user/passkeys/{id}', { params: { path } }))
    await Promise.all([tellOfRemoval(passkey).catch(() => {}), changed()])
  }
  const rename = async (name: string) => {
    const params = { path: { id: renamed ?? '' } }
    await ok(portal.PATCH('/api/user/passkeys/{id}', { params, body: { name } }))
    await loaded.reload()
    setRenamed(undefined)
  }
  return (
    <Items
      kind="passkeys"
      from={loaded}
      onClose={onClose}
      onRemove={remove}
      row={({ id, name, createdAt, lastUsedAt }, removal, report) => (
        <Row
          key={id}
          name={name}
          times={{ 'passkey-added': createdAt, 'last-used': lastUsedAt }}
          actions={
            <>
              <Action
                label={say('rename')}
                kind="outline"
                aria-expanded={renamed === id}
                onPress={() => setRenamed(renamed === id ? undefined : id)}
              />
              {removal}
            </>
          }
        >
          {renamed === id && (
            <Form
              action={say('save')}
              onSubmit={async (fields) => {
                await rename(fields.name ?? '')
                report(say('saved'))
              }}
            >
              <PasskeyName defaultValue={name} required autofocus />
            </Form>
          )}
        </Row>
      )}
    >
      <AddPasskey onDone={changed} />
    </Items>
  )
}

const PasskeyName = (props: Partial<FieldProps>) => (
  <Field label={say('passkey-name')} name="name" autocomplete="off" maxLength={40} {...props} />
)

/** Creates a passkey on this device, or on another one that the browser offers. */
export function AddPasskey({ token, onDone }: { token?: string; onDone(): Promise<unknown> }) {
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
      <PasskeyName hint={say('passkey-name-hint')} />
    </SavingForm>
  )
}
