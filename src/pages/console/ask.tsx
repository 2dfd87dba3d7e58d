import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialog.tsx'
import { Form } from '../shared/form.tsx'
import type { Words } from './command-line.tsx'
import { Locked } from './locked.tsx'
import { mayWrite } from './may.ts'

interface AskProps {
  /** On the button that opens the dialog, and the title of the dialog. */
  label: string
  /** The object of the action, if other buttons have the same label. */
  about?: string
  /** On the button of the dialog, with the name of the object if it destroys something. */
  action?: string
  /** Rejects if it fails: then the dialog stays open and says what is wrong. */
  onSubmit(fields: Record<string, string>): Promise<unknown>
  /** What can be done about an error. */
  remedy?: ComponentProps<typeof Form>['remedy']
  isDangerous?: boolean
  /** Whether only the dialog shows that it is. */
  isQuiet?: boolean
  /** Whether it is the one primary action of the view. */
  isPrimary?: boolean
  /** The command that does the same, where the console only reads. */
  words: Words
  /** What will happen, or the fields of a form. */
  children: ComponentChildren
}

/** A button whose action must be confirmed in a dialog. */
export function Ask({
  label,
  about,
  action = about === undefined ? label : `${label} ${about}`,
  onSubmit,
  remedy,
  isDangerous = false,
  isQuiet = false,
  isPrimary = false,
  words,
  children
}: AskProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const text = (
    <>
      {label}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </>
  )
  if (!mayWrite()) return <Locked label={text} words={words} />
  return (
    <>
      <button
        type="button"
        class={isDangerous && !isQuiet ? 'dangerous' : isPrimary ? undefined : 'outline'}
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      {isOpen && (
        <Dialog title={about === undefined ? label : `${label} ${about}`} onClose={close}>
          <Form
            action={action}
            isDangerous={isDangerous}
            {...(remedy && { remedy })}
            onSubmit={async (fields) => {
              await onSubmit(fields)
              close()
            }}
            more={
              <button
                type="button"
                class="secondary outline"
                autofocus={isDangerous}
                onClick={close}
              >
                Cancel
              </button>
            }
          >
            {children}
          </Form>
        </Dialog>
      )}
    </>
  )
}
