import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { page, RejectedCall, solving } from './client.ts'
import { WithMistakes } from './controls.tsx'
import { mistakesOf, ProblemNotice } from './problem.tsx'
import { say } from './say.ts'
import { hasSessionEnded, user } from './session.ts'
import { mistakeIn } from './validity.ts'

type Fields = Record<string, string>

interface FormProps {
  /** The text of the button. */
  action: string
  /** Rejects if it fails: then the form keeps what was typed, and says what is wrong. */
  onSubmit(fields: Fields): Promise<unknown>
  onInput?(): void
  children: ComponentChildren
  more?: ComponentChildren
  /** Above the buttons, in a bar with them and with mistakes, which stays in sight. */
  bar?: ComponentChildren
  /** A remedy for an error, shown beside it. `clear` takes the error away. */
  remedy?(error: unknown, clear: () => void): ComponentChildren
  isDangerous?: boolean
  /** `outline` if the primary action of the view is another one. */
  kind?: 'outline' | undefined
}

/** A form with one button, which cannot be pressed twice. */
export function Form(props: FormProps) {
  const { action, onSubmit, onInput, children, more, bar, remedy } = props
  const { isDangerous = false, kind } = props
  const { run, error, clear, busy } = useAction()
  // Each stays until the user changes the field.
  const [mistakes, setMistakes] = useState<Fields>({})
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const wrong = wrongControls(form)
    setMistakes(Object.fromEntries(wrong.map(({ control, mistake }) => [control.name, mistake])))
    if (wrong.length > 0) return lead(wrong.map(({ control }) => control))
    const fields = fieldsOf(form)
    void run(async () => {
      try {
        await onSubmit(fields)
      } catch (thrown) {
        const told = atControls(form, mistakesOf(thrown))
        setMistakes(told)
        const controls = Object.keys(told).map((name) => form.elements.namedItem(name))
        // Each is told at its field, and need not be told twice.
        const found = controls.filter((each) => each instanceof HTMLElement)
        if (found.length === 0 || found.length < controls.length) throw thrown
        lead(found)
      }
    })
  }
  const change = ({ target }: Event) => {
    const { name } = target as HTMLInputElement
    if (name in mistakes) setMistakes(({ [name]: _, ...others }) => others)
    onInput?.()
  }
  const foot = (
    <>
      {solving.value > 0 && <p role="status">{say('solving', { seconds: solving.value })}</p>}
      {error !== undefined && <ProblemNotice error={error}>{remedy?.(error, clear)}</ProblemNotice>}
      <div class="actions">
        <button type="submit" {...busy} class={isDangerous ? 'dangerous' : kind}>
          {action}
        </button>
        {more}
      </div>
    </>
  )
  return (
    <form noValidate onSubmit={submit} onInput={change}>
      <WithMistakes mistakes={mistakes}>{children}</WithMistakes>
      {bar === undefined ? (
        foot
      ) : (
        <div class="bar">
          {bar}
          {foot}
        </div>
      )}
    </form>
  )
}

/** To the first of these controls. All are unfolded, so that their mistakes can be read. */
function lead(controls: readonly HTMLElement[]) {
  for (const control of controls) control.closest('details')?.setAttribute('open', '')
  controls[0]?.focus()
}

/** A mistake in an item or a property without a field is shown at the field that contains it. */
function atControls({ elements }: HTMLFormElement, mistakes: Fields) {
  const told: Fields = {}
  for (const [name, text] of Object.entries(mistakes)) {
    let whole = name
    // Names may be pointers.
    const isThere = () => elements.namedItem(whole) ?? elements.namedItem(`/${whole}`)
    while (!isThere() && whole.includes('/')) whole = whole.slice(0, whole.lastIndexOf('/'))
    const control = elements.namedItem(`/${whole}`) ? `/${whole}` : isThere() ? whole : name
    const part = name.slice(whole.length + 1)
    const message = isThere() && /\D/.test(part) ? `${part}: ${text}` : text
    told[control] = told[control] === undefined ? message : `${told[control]} ${message}`
  }
  return told
}

/** The contents of the fields, by their names. */
export function fieldsOf(form: HTMLFormElement) {
  const fields: Fields = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') fields[name] = value
  }
  return fields
}

/** The controls that the browser finds wrong: see `mistakeIn`. */
const wrongControls = ({ elements }: HTMLFormElement) =>
  [...elements].flatMap((element) => {
    const control = element as HTMLInputElement // any of them has what is asked for here
    const mistake = control.willValidate ? mistakeIn(control) : undefined
    return mistake === undefined ? [] : [{ control, mistake }]
  })

export interface ActionProps {
  label: ComponentChildren
  onPress(): unknown
  kind?: 'outline' | 'plain'
  isDangerous?: boolean
  id?: string
  title?: string
  'aria-label'?: string
  'aria-expanded'?: boolean
  /** Whether it gets the focus in a dialog that opens. */
  autofocus?: boolean
}

/** A button that does something by itself. It shows what failed beside it. */
export function Action({ label, onPress, kind, isDangerous = false, ...button }: ActionProps) {
  const { run, error, busy } = useAction()
  return (
    <>
      <button
        type="button"
        {...button}
        {...busy}
        class={isDangerous ? 'dangerous' : kind}
        onClick={() => {
          void run(onPress)
        }}
      >
        {label}
      </button>
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  )
}

/** A button that is alone in its row. */
export const OneAction = (props: ActionProps) => (
  <div class="actions">
    <Action {...props} />
  </div>
)

/** Runs one action at a time. Its button is not `disabled`, which would take the focus away. */
function useAction() {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const running = useRef(false) // at once, while the state waits for the next rendering
  const run = async (work: () => unknown) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      setError(thrown)
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  const busy = { 'aria-busy': isBusy, 'aria-disabled': isBusy }
  // The user has signed in again. A page of another user stays what it is.
  const isOver = user.value && !hasSessionEnded.value && !page.isForeign && isSessionMissing(error)
  return { run, error: isOver ? undefined : error, clear: () => setError(undefined), busy }
}

const isSessionMissing = (error: unknown) =>
  error instanceof RejectedCall &&
  ['unauthenticated', 'console-ended'].includes(error.problem.code ?? '')
