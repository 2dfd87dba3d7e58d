import { createContext } from 'preact'
import type { ComponentChildren, JSX } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { mistakesOf, ProblemNotice } from './problem.tsx'

type Fields = Record<string, string>

/** Mistakes in the fields of the form, by name. */
const Mistakes = createContext<Fields>({})

interface FormProps {
  /** On the button. */
  action: string
  /** Rejects if it fails: then the form keeps what was typed, and says what is wrong. */
  onSubmit(fields: Fields): Promise<unknown>
  /** Called when the user changes a field. */
  onInput?(): void
  children: ComponentChildren
  /** Other buttons. */
  more?: ComponentChildren
  isDangerous?: boolean
}

/** A form with one button, which cannot be pressed twice. */
export function Form({
  action,
  onSubmit,
  onInput,
  children,
  more,
  isDangerous = false
}: FormProps) {
  const { run, error, isBusy } = useAction()
  const submit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields: Fields = {}
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value === 'string') fields[name] = value
    }
    void run(() => onSubmit(fields))
  }
  return (
    <form onSubmit={submit} onInput={onInput}>
      <Mistakes.Provider value={mistakesOf(error)}>{children}</Mistakes.Provider>
      {error !== undefined && <ProblemNotice error={error} />}
      <div class="actions">
        <button
          type="submit"
          aria-busy={isBusy}
          aria-disabled={isBusy}
          class={dangerous(isDangerous)}
        >
          {action}
        </button>
        {more}
      </div>
    </form>
  )
}

interface ControlProps {
  id: string
  name: string
  'aria-invalid': 'true' | undefined
  'aria-describedby': string | undefined
}
interface Labels {
  label: string
  name: string
  hint?: string
  /** Another control than an input, with these properties. */
  children?(control: ControlProps): ComponentChildren
}
// `value` and `checked` would replace what was typed whenever the view is rendered again: give
// `defaultValue` and `defaultChecked`.
type InputProps = Omit<
  JSX.InputHTMLAttributes<HTMLInputElement>,
  keyof Labels | 'value' | 'checked'
>

/** An input with its label, and its mistake when the portal has found one. */
export function Field({ label, name, hint, children, ...input }: Labels & InputProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // Browsers obey the attribute only when the document is loaded, and in a dialog that opens.
  useEffect(() => {
    if (input.autofocus) field.current?.focus()
  }, [])
  const mistake = useContext(Mistakes)[name]
  const help = [mistake, hint].filter((text) => text !== undefined).join(' ')
  const control: ControlProps = {
    id,
    name,
    'aria-invalid': mistake === undefined ? undefined : 'true',
    'aria-describedby': help === '' ? undefined : `${id}-help`
  }
  return (
    <div>
      <label for={id}>{label}</label>
      {children ? children(control) : <input {...input} {...control} ref={field} />}
      {help !== '' && <small id={`${id}-help`}>{help}</small>}
    </div>
  )
}

interface ActionProps {
  label: ComponentChildren
  onPress(): Promise<unknown>
  kind?: 'outline'
  isDangerous?: boolean
}

/** A button that does something by itself. It shows what failed beside it. */
export function Action({ label, onPress, kind, isDangerous = false }: ActionProps) {
  const { run, error, isBusy } = useAction()
  return (
    <>
      <button
        type="button"
        aria-busy={isBusy}
        aria-disabled={isBusy}
        class={dangerous(isDangerous) ?? kind}
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

/** Runs one action at a time. Its button is not `disabled`, which would take the focus away. */
function useAction() {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const running = useRef(false) // at once, while the state waits for the next rendering
  const run = async (work: () => Promise<unknown>) => {
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
  return { run, error, isBusy }
}

const dangerous = (isDangerous: boolean) => (isDangerous ? 'dangerous' : undefined)
