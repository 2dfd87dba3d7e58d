import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { renew } from '../../shared/load.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { Copy } from '../command-line.tsx'
import { wordsOf } from '../flags/when-form.ts'

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
      await renew()
    }}
  >
    <Field
      label="Name"
      name="name"
      autocomplete="off"
      hint="What the key is for."
      required
      maxLength={80}
      autofocus
    />
    <Field
      label="Days"
      name="days"
      type="number"
      min={1}
      max={365}
      hint="After so many days it expires: 90 unless you say otherwise, and at most 365."
    />
    <Field
      label="Permissions"
      name="permissions"
      hint="Limits the key to these, separated by spaces. Without any, it has those of its owner."
    />
    <Field
      label="Networks"
      name="networks"
      hint="The key works only from these, such as 192.0.2.0/24, separated by spaces."
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
