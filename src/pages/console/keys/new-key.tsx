import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../../shared/client.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Action } from '../../shared/form.tsx'

/** A new key, as long as nobody has said that it is stored. */
export const newKey = signal<Schemas['CreatedApiKey'] | undefined>(undefined)

/** Shows a new key over every view, so that neither a link nor Back loses it. */
export const NewKey = () => newKey.value && <Shown {...newKey.value} />

function Shown({ name, secret }: Schemas['CreatedApiKey']) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <Dialog title="New key">
      <p>
        This is the key {name}. It is shown only now: copy it to where it is used, or into a store
        for secrets.
      </p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="actions">
        <Action
          label={isCopied ? 'Copied' : 'Copy the key'}
          autofocus
          onPress={async () => {
            await navigator.clipboard.writeText(secret)
            setCopied(true)
          }}
        />
        <Action
          label="It is stored"
          kind="outline"
          onPress={() => {
            newKey.value = undefined
          }}
        />
      </div>
    </Dialog>
  )
}
