import type { ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../shared/controls.tsx'
import type { FieldProps } from '../shared/controls.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { Action, Form } from '../shared/form.tsx'
import { Mistake } from '../shared/problem.tsx'
import { options } from '../shared/session.ts'
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
      <Action label={label} isDangerous onPress={() => setAsking(true)} />
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
            <Action label={say('cancel')} kind="outline" autofocus onPress={close} />
          </div>
        </Dialog>
      )}
    </>
  )
}

/**
 * A form that stays on the page and confirms that it was saved. Its fields are then emptied or show
 * the saved values, unless the user has changed one in the meantime.
 */
export function SavingForm({ onSubmit, ...form }: ComponentProps<typeof Form>) {
  const [count, setCount] = useState(0)
  const isChanged = useRef(false) // since the last submit
  const { status, report } = useStatus(() => !isChanged.current)
  return (
    <>
      <Form
        key={count}
        {...form}
        onInput={() => {
          isChanged.current = true
        }}
        onSubmit={async (fields) => {
          report('')
          isChanged.current = false
          await onSubmit(fields)
          if (!isChanged.current) setCount(count + 1)
          report(say('saved'))
        }}
      />
      {status}
    </>
  )
}

interface DialogFormProps extends ComponentProps<typeof Form> {
  title: string
  /** The form is sent, and did this; or the user closes it. */
  onClose(done?: string): void
  /** Resolves to the text that says what it has done. */
  onSubmit(fields: Record<string, string>): Promise<string>
}

/** A dialog with one form, which closes it. */
export const DialogForm = ({ title, onClose, onSubmit, ...form }: DialogFormProps) => (
  <Dialog title={title} onClose={() => onClose()}>
    <Form
      {...form}
      onSubmit={async (fields) => onClose(await onSubmit(fields))}
      more={<Action label={say('cancel')} kind="outline" onPress={() => onClose()} />}
    />
  </Dialog>
)

/**
 * Announces what an action has done, and focuses it: its button may be gone. Show `status` where it
 * stays, and call `report` last.
 */
export function useStatus(takesFocus = () => true) {
  const [done, setDone] = useState({ text: '' })
  const announcement = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (done.text !== '' && takesFocus()) announcement.current?.focus()
  }, [done])
  return {
    status: (
      <div ref={announcement} role="status" tabIndex={-1} class="success">
        {done.text}
      </div>
    ),
    report: (text: string) => setDone({ text })
  }
}

/** A button that copies a text, and what it has done, which comes after all buttons beside it. */
export function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      throw new Mistake(say('copy-failed'))
    }
    setCopied(true)
  }
  return (
    <>
      <Action label={say('copy')} kind="outline" onPress={copy} />
      <span role="status">{isCopied && say('copied')}</span>
    </>
  )
}

export const NameField = (props: Partial<FieldProps>) => (
  <Field label={say('name')} name="name" autocomplete="name" required maxLength={80} {...props} />
)

/** A text on one line, whose end may be cut: it is whole in its title. */
export const Cut = ({ text }: { text: string }) => (
  <span class="cut" title={text}>
    {text}
  </span>
)

export function NewPassword(props: { name: string; label: string; autofocus?: boolean }) {
  const length = options.value?.passwordMinLength ?? 8
  return (
    <Field
      {...props}
      type="password"
      autocomplete="new-password"
      hint={say('password-hint', { length })}
      required
      minLength={length}
      maxLength={128}
    />
  )
}
