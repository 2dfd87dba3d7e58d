import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../../shared/dialog.tsx'
import { Action } from '../../shared/form.tsx'

interface Shown {
  kind: 'key' | 'secret'
  /** Such as the name of the key. */
  name: string
  secret: string
}

/** A new key or secret, as long as nobody has said that it is stored. */
export const newKey = signal<Shown | undefined>(undefined)

/** Shows it over every view, so that neither a link nor Back loses it. */
export const NewKey = () => newKey.value && <Showing {...newKey.value} />

function Showing({ kind, name, secret }: Shown) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <Dialog title={`New ${kind}`}>
      <p>
        This is the {kind} {name}. It is shown only now: copy it to where it is used, or into a
        store for secrets.
      </p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="actions">
        <Action
          label={isCopied ? 'Copied' : `Copy the ${kind}`}
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
