import { createContext } from 'preact'
import type { ComponentProps } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import { Choice } from '../../shared/controls.tsx'
import type { Flag, FlagForm, RuleForm } from './form.ts'
import type { WhenForm } from './when-form.ts'

/** The result of a trial of the unsaved flag. */
export interface Decided {
  /** Id of the rule; null if none matched. */
  rule: string | null
  bucket: number | null
}

interface Editor {
  form: FlagForm
  /** The flag as it is in the form. */
  flag: Flag
  /** @param place where the change may fix mistakes */
  edit(place: string, changes: Partial<FlagForm>): void
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

/** A function that moves the focus after the next rendering, to the element with an id. */
export function useFocus() {
  const [focused, setFocused] = useState<{ id: string }>()
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (focused) document.getElementById(focused.id)?.focus()
  }, [focused])
  return (id: string) => setFocused({ id })
}

/** Where a mistake is shown: the pointer with ids, which stay when parts move. And its rule. */
export function placeOf(pointer: string, { variants, rules }: FlagForm): [string, RuleForm?] {
  const [part = '', index = '', ...inner] = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (part === 'variants') {
    const variant = variants.find(({ name }) => name === index)
    return [variant ? `variants/${variant.id}` : part]
  }
  const rule = part === 'rules' ? rules[Number(index)] : undefined
  return rule ? [`rules/${rule.id}${placeInRule(inner.slice(1), rule)}`, rule] : [part]
}

/** The place of a mistake within a rule or a segment. */
export function placeInRule([part, index]: string[], rule: WhenForm & Pick<RuleForm, 'shares'>) {
  if (part === 'rolesAny') return '/roles'
  if (part === 'segmentsAny') return '/segments'
  if (['users', 'scopes', 'from', 'until'].includes(part ?? '')) return `/${part}`
  const name = part === 'attributes' || part === 'appSettings' ? part : 'shares'
  const parts: readonly { id: string }[] = rule[name]
  const found = index === undefined ? undefined : parts[Number(index)]
  return found ? `/${name}/${found.id}` : '/serve'
}

/** Names a field by its place, where its mistakes are shown. */
export const at = (place: string) => ({ id: place, name: place })

/** A choice of the variants, by id. */
export function VariantChoice({
  withSplit,
  ...choice
}: Pick<ComponentProps<typeof Choice>, 'label' | 'name' | 'id' | 'onValue'> & {
  value: string
  /** The value of the last option, which stands for a split. */
  withSplit?: string
}) {
  const { variants } = useEditor().form
  const { value } = choice
  const isMissing = value !== withSplit && !variants.some(({ id }) => id === value)
  return (
    <Choice
      {...choice}
      options={[
        ...(isMissing ? [[value, 'Choose a variant'] as const] : []),
        ...variants.map(({ id, name }) => [id, name] as const),
        ...(withSplit === undefined ? [] : [[withSplit, 'A split by percentage'] as const])
      ]}
    />
  )
}
