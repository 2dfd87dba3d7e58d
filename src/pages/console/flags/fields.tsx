import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { FlagForm, RuleForm } from './form.ts'

/** What a trial of the flag as it is in the form found. */
export interface Decided {
  /** Id of the rule; null if none matched. */
  rule: string | null
  bucket: number | null
}

interface Editor {
  form: FlagForm
  /** @param place where the change may fix mistakes */
  edit(place: string, change: (form: FlagForm) => FlagForm): void
  /** By place: see `placeOf`. */
  mistakes: Readonly<Record<string, string>>
  /** Moves the focus after the next rendering. */
  focus(id: string): void
  decided: Decided | undefined
  isNew: boolean
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('outside of an editor')
  return editor
}

/** Where a mistake is shown: the pointer with ids, which stay when parts move. */
export function placeOf(pointer: string, { variants, rules }: FlagForm): string {
  const [part = '', index = '', ...inner] = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (part === 'variants') {
    const variant = variants.find(({ name }) => name === index)
    return variant ? `variants/${variant.id}` : part
  }
  const rule = part === 'rules' ? rules[Number(index)] : undefined
  return rule ? `rules/${rule.id}${placeInRule(inner, rule)}` : part
}

function placeInRule([, part, index]: string[], { attributes, shares }: RuleForm) {
  if (part === 'rolesAny') return '/roles'
  if (part === 'users') return '/users'
  const [name, parts] = part === 'attributes' ? [part, attributes] : ['shares', shares]
  const found = index === undefined ? undefined : parts[Number(index)]
  return found ? `/${name}/${found.id}` : '/serve'
}

interface Attributes {
  id: string
  'aria-invalid': 'true' | undefined
  'aria-describedby': string | undefined
}

/** A field with its label, its hint and its mistake. The id of the input is the place. */
export function Labelled({
  label,
  place,
  hint,
  children
}: {
  label: ComponentChildren
  place: string
  hint?: string
  children(attributes: Attributes): ComponentChildren
}) {
  const mistake = useEditor().mistakes[place]
  const help = mistake ?? hint
  return (
    <div>
      <label for={place}>{label}</label>
      {children({
        id: place,
        'aria-invalid': mistake === undefined ? undefined : 'true',
        'aria-describedby': help === undefined ? undefined : `${place}-help`
      })}
      {help !== undefined && <small id={`${place}-help`}>{help}</small>}
    </div>
  )
}

/** A select of the variants, by id. */
export function VariantSelect({
  label,
  place,
  value,
  onValue,
  withSplit
}: {
  label: ComponentChildren
  place: string
  value: string
  onValue(id: string): void
  /** The value of the last option, which stands for a split. */
  withSplit?: string
}) {
  const { variants } = useEditor().form
  const isMissing = value !== withSplit && !variants.some(({ id }) => id === value)
  return (
    <Labelled label={label} place={place}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {isMissing && <option value={value}>Choose a variant</option>}
          {variants.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {withSplit !== undefined && <option value={withSplit}>A split by percentage</option>}
        </select>
      )}
    </Labelled>
  )
}
