import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { capital } from '../shared/capital.ts'
import { ok } from '../shared/client.ts'
import { Dialog } from '../shared/dialog.tsx'
import { Action, Form } from '../shared/form.tsx'
import { commandOf, Copy } from './command-line.tsx'
import type { Words } from './command-line.tsx'
import { mayWrite } from './may.ts'
import { change, report, reportFailure } from './shell/status.tsx'
import { Row } from './parts.tsx'

/** An action that rejects if it fails: then the dialog stays open and says what is wrong. */
type Submit = (fields: Record<string, string>) => Promise<unknown>

export type Call = Parameters<typeof ok>[0]

/** A request that changes something, and the report of that. */
interface Change {
  call(fields: Record<string, string>): Call
  done: string
}

type Submission = { onSubmit: Submit } | Change

interface ConfirmButtonProps {
  /** On the button that opens the dialog, and the title of the dialog. */
  label: string
  /** The object of the action, if other buttons have the same label. */
  about?: string | undefined
  /** On the button of the dialog, with the name of the object if it destroys something. */
  action?: string | undefined
  /** Renders a way out of an error. */
  remedy?: ComponentProps<typeof Form>['remedy']
  isDangerous?: boolean
  /** Whether only the dialog shows that it is. */
  isQuiet?: boolean
  /** Whether it is the one primary action of the view. */
  isPrimary?: boolean
  /** The command that does the same, where the console only reads. */
  words: Words
  /** Says what will happen, or has the fields of a form. */
  children: ComponentChildren
}

/** A button whose action must be confirmed in a dialog. */
export function ConfirmButton(props: ConfirmButtonProps & Submission) {
  const { label, about, remedy, words, children } = props
  const { isDangerous = false, isQuiet = false, isPrimary = false } = props
  const title = about === undefined ? label : `${label} ${about}`
  const submit: Submit =
    'call' in props ? (fields) => change(props.call(fields), props.done) : props.onSubmit
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const text = named(label, about)
  if (!mayWrite()) return <ReadOnlyButton label={text} words={words} />
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
        <Dialog title={title} onClose={close}>
          <Form
            action={props.action ?? title}
            isDangerous={isDangerous}
            {...(remedy && { remedy })}
            onSubmit={async (fields) => {
              await submit(fields)
              close()
            }}
            more={<Action label="Cancel" kind="outline" autofocus={isDangerous} onPress={close} />}
          >
            {children}
          </Form>
        </Dialog>
      )}
    </>
  )
}

/** The object of the action is only for screen readers. */
export const named = (label: string, about: string | undefined) => (
  <>
    {label}
    {about !== undefined && <span class="unseen"> {about}</span>}
  </>
)

interface ReadOnlyButtonProps {
  label: ComponentChildren
  /** The command that does the same. */
  words: Words
}

/**
 * In place of a button that changes something, where the console only reads. It can be reached with
 * the keyboard, and says what to do instead.
 */
export const ReadOnlyButton = ({ label, words }: ReadOnlyButtonProps) => (
  <button
    type="button"
    class="locked"
    aria-disabled="true"
    title={commandOf(words)}
    onClick={() =>
      reportFailure(
        <>
          This console only reads. On the command line: <code>{commandOf(words)}</code>{' '}
          <Copy text={commandOf(words)} what="command" />
        </>
      )
    }
  >
    {label}
  </button>
)

interface ActionButtonProps extends Pick<
  ConfirmButtonProps,
  'label' | 'about' | 'action' | 'words' | 'isPrimary'
> {
  /** Asked before, in a dialog whose button has the text of `action`. */
  question?: ComponentChildren
}

/** A button that changes something by itself, unless there is a question. */
export function ActionButton(props: ActionButtonProps & ({ onPress: Submit } | Change)) {
  const { question, action, label, about, words, isPrimary } = props
  const onPress = () => ('call' in props ? change(props.call({}), props.done) : props.onPress({}))
  if (question) {
    return (
      <ConfirmButton {...{ label, about, action, words }} isDangerous isQuiet onSubmit={onPress}>
        <p>{question}</p>
      </ConfirmButton>
    )
  }
  const text = named(label, about)
  return mayWrite() ? (
    <Action label={text} {...(!isPrimary && { kind: 'outline' })} onPress={onPress} />
  ) : (
    <ReadOnlyButton label={text} words={words} />
  )
}

interface ReadButtonProps extends Pick<ConfirmButtonProps, 'label' | 'about' | 'children'> {
  title: string
}

/** A button that opens something to read, which is loaded only then. */
export function ReadButton({ label, about, title, children }: ReadButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Action label={named(label, about)} kind="outline" onPress={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children}
          <div class="actions">
            <Action label="Close" kind="outline" autofocus onPress={close} />
          </div>
        </Dialog>
      )}
    </>
  )
}

interface DangerZoneProps {
  /** Such as “Delete this role”. */
  title: string
  loss: string
  /** The button that asks first. */
  children: ComponentChildren
}

/** Offers what cannot be undone, at the end of a view. */
export const DangerZone = ({ title, loss, children }: DangerZoneProps) => (
  <section class="danger-zone">
    <h2>Danger zone</h2>
    <ul class="rows">
      <Row title={title} below={loss}>
        {children}
      </Row>
    </ul>
  </section>
)

interface DeleteZoneProps extends Pick<ConfirmButtonProps, 'words'> {
  noun: 'user' | 'role' | 'service' | 'webhook'
  name: string
  loss: string
  /** By default, the question is what is lost. */
  children?: ComponentChildren
  call(): Call
}

/** Offers to delete what a view shows, and then leads to the list. */
export function DeleteZone({ noun, name, loss, words, call, children }: DeleteZoneProps) {
  const [, navigate] = useLocation()
  const thing = noun === 'user' ? name : `the ${noun} ${name}`
  return (
    <DangerZone title={`Delete this ${noun}`} loss={loss}>
      <ConfirmButton
        label="Delete"
        action={`Delete ${thing}`}
        words={words}
        isDangerous
        onSubmit={async () => {
          await ok(call())
          report(`${capital(thing)} was deleted.`)
          navigate(`/${noun}s`)
        }}
      >
        {children ?? <p>{loss}</p>}
      </ConfirmButton>
    </DangerZone>
  )
}
