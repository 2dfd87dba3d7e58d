import { createContext } from 'preact'
import type {
  ComponentChildren,
  InputHTMLAttributes,
  RenderableProps,
  SelectHTMLAttributes,
  TargetedInputEvent,
  TextareaHTMLAttributes
} from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { say } from './say.ts'

type Found = Readonly<Record<string, string>>

const Mistakes = createContext<Found>({})

/** Shows these mistakes at the fields within, besides those of the form around them. */
export function WithMistakes({ mistakes, children }: RenderableProps<{ mistakes: Found }>) {
  const outer = useContext(Mistakes)
  return <Mistakes.Provider value={{ ...outer, ...mistakes }}>{children}</Mistakes.Provider>
}

interface Labels {
  label: ComponentChildren
  name: string
  id?: string
  hint?: ComponentChildren
  /** A link on the line of the label. A keyboard gets to it after the control. */
  aside?: ComponentChildren
}
interface Control {
  id: string
  name: string
  autocomplete: AutoFill
  'aria-invalid': 'true' | undefined
  'aria-describedby': string | undefined
}
type AutoFill = InputHTMLAttributes<HTMLInputElement>['autocomplete']

/** Any control with its label, its hint, and its mistake when there is one. */
function Labelled(props: Labels & { children(control: Control): ComponentChildren }) {
  const { label, name, id: given, hint, aside, children } = props
  const generated = useId()
  const id = given ?? generated
  const mistake = useContext(Mistakes)[name]
  const hasHelp = mistake !== undefined || hint !== undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        autocomplete: 'off', // a password manager fills only fields that say with what
        'aria-invalid': mistake === undefined ? undefined : 'true',
        'aria-describedby': hasHelp ? `${id}-help` : undefined
      })}
      {hasHelp && <small id={`${id}-help`}>{mistake ?? hint}</small>}
      {aside}
    </div>
  )
}

interface Values {
  /**
   * The first value. What the user types then stays, because only `value` is set by each rendering.
   */
  defaultValue?: string | undefined
  /** The present value, for a view that keeps it itself with `onValue`. */
  value?: string
  onValue?(value: string): void
}
type Others<Attributes> = Omit<Attributes, keyof Labels | keyof Values | 'checked' | 'autofocus'>

export type FieldProps = Labels &
  Values &
  Others<InputHTMLAttributes<HTMLInputElement>> & { autofocus?: boolean }

export function Field(props: FieldProps) {
  const { label, name, id, hint, aside, onValue, autofocus, ...input } = props
  const field = useRef<HTMLInputElement>(null)
  const [isShown, setShown] = useState(false)
  // Browsers obey the attribute only when the document is loaded, and in a dialog that opens.
  useEffect(() => {
    if (autofocus) field.current?.focus()
  }, [])
  useEffect(() => {
    if (!isShown) return
    // A password manager keeps it only from a field of this type.
    const hide = () => setShown(false)
    const form = field.current?.form
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [isShown])
  return (
    <Labelled {...{ label, name, hint, aside, ...(id !== undefined && { id }) }}>
      {(control) => {
        const own = (
          <input
            {...control}
            {...(onValue && {
              onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
                onValue(currentTarget.value)
            })}
            {...input}
            autofocus={autofocus}
            {...(isShown && { type: 'text', spellcheck: false })}
            ref={field}
          />
        )
        if (input.type !== 'password') return own
        const text = say(isShown ? 'hide' : 'show')
        return (
          <div class="secret">
            {own}
            <button
              type="button"
              class="plain"
              aria-label={`${text}: ${label as string}`}
              onClick={() => setShown(!isShown)}
            >
              {text}
            </button>
          </div>
        )
      }}
    </Labelled>
  )
}

type AreaProps = Labels & Values & Others<TextareaHTMLAttributes<HTMLTextAreaElement>>

/** Text of several lines, as high as the text where browsers can. */
export const Area = ({ label, name, id, hint, onValue, rows = 1, ...area }: AreaProps) => (
  <Labelled {...{ label, name, hint, ...(id !== undefined && { id }) }}>
    {(control) => (
      <textarea
        {...control}
        {...area}
        rows={rows}
        onInput={({ currentTarget }) => onValue?.(currentTarget.value)}
      />
    )}
  </Labelled>
)

type Options = readonly (readonly [value: string, text: string])[]

type ChoiceProps = Labels &
  Values & { options: Options; autocomplete?: SelectHTMLAttributes['autocomplete'] }

/** One of several values. A new default value replaces the old one, not the user's choice. */
export function Choice(props: ChoiceProps) {
  const { label, name, id, hint, options, value, defaultValue, onValue, ...others } = props
  const select = useRef<HTMLSelectElement>(null)
  const [first] = useState(defaultValue)
  const before = useRef(defaultValue)
  useLayoutEffect(() => {
    const { current } = select
    const isUntouched = current?.value === before.current
    before.current = defaultValue
    if (current && isUntouched && defaultValue !== undefined) current.value = defaultValue
  }, [defaultValue])
  return (
    <Labelled {...{ label, name, hint, ...(id !== undefined && { id }) }}>
      {(control) => (
        <select
          {...control}
          {...others}
          {...(value !== undefined && { value })}
          ref={select}
          onChange={({ currentTarget }) => onValue?.(currentTarget.value)}
        >
          {options.map(([each, text]) => (
            <option key={each} value={each} {...(each === first && { selected: true })}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

interface CheckProps {
  label: ComponentChildren
  name: string
  id?: string
  defaultChecked?: boolean
  checked?: boolean
  isSwitch?: boolean
  onValue?(isChecked: boolean): void
}

/** A checkbox, or a switch for what takes effect by itself. */
export const Check = ({ label, isSwitch = false, onValue, ...input }: CheckProps) => (
  <label>
    <input
      type="checkbox"
      autocomplete="off"
      {...(isSwitch && { role: 'switch' })}
      {...input}
      onChange={({ currentTarget }) => onValue?.(currentTarget.checked)}
    />
    {label}
  </label>
)

/** @param props `username` for `autocomplete` tells a password manager whose password it is */
export const EmailField = (props: Partial<FieldProps>) => (
  <Field label={say('email')} name="email" type="email" required maxLength={254} {...props} />
)

/** The password that the user has, not a new one. */
export const CurrentPassword = (props: Partial<FieldProps>) => (
  <Field
    label={say('password')}
    name="password"
    type="password"
    autocomplete="current-password"
    required
    maxLength={128}
    {...props}
  />
)

export const CodeField = (props: Partial<FieldProps>) => (
  <Field
    label={say('code')}
    name="code"
    inputMode="numeric"
    autocomplete="one-time-code"
    pattern="[0-9]{3} ?[0-9]{3}"
    maxLength={7}
    required
    {...props}
  />
)

/** Tells the password manager whose password it is. */
export const Username = ({ email }: { email: string }) => (
  <input type="text" autocomplete="username" defaultValue={email} readOnly hidden />
)
