import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialog.tsx'
import { Action } from '../shared/form.tsx'
import { say } from './say.ts'

interface ConfirmedActionProps {
  label: string
  title: string
  text: string
  onConfirm(): Promise<unknown>
}

/** A button for a destructive action, which must be confirmed. */
export function ConfirmedAction({ label, title, text, onConfirm }: ConfirmedActionProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <button type="button" class="dangerous" onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && (
        <Dialog title={title} onClose={close}>
          <p>{text}</p>
          <div class="actions">
            <Action
              label={label}
              isDangerous
              onPress={async () => {
                await onConfirm()
                close()
              }}
            />
            <button type="button" class="secondary outline" autofocus onClick={close}>
              {say('cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
