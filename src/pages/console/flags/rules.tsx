import { useState } from 'preact/hooks'
import { Action } from '../../shared/form.tsx'
import { useEditor } from './fields.tsx'
import { newId } from './form.ts'
import { Rule } from './rule.tsx'
import { isForEverybody } from './sentences.ts'
import { whenFormOf } from './when-form.ts'

const add = 'add-rule'

/** Adds a rule and leads to it. Below a rule for everybody, it would never match. */
export function useAddRule() {
  const { form, flag, edit, focus } = useEditor()
  return () => {
    const id = newId()
    const { rules, variants } = form
    const rule = { ...whenFormOf({}), id, shares: [], serve: variants[0]?.id ?? '' }
    const everybody = flag.rules.findIndex(isForEverybody)
    edit('rules', { rules: rules.toSpliced(everybody < 0 ? rules.length : everybody, 0, rule) })
    focus(`rules/${id}/roles`)
  }
}

/** The rules in their order, which buttons change. The focus stays on the rule that moves. */
export function Rules() {
  const { form, edit, focus, mistakes } = useEditor()
  const addRule = useAddRule()
  const [said, say] = useState('')
  const { rules } = form
  const move = (from: number, to: number) => {
    const moved = rules[from]
    if (!moved || to < 0 || to >= rules.length) return
    edit('rules', { rules: rules.toSpliced(from, 1).toSpliced(to, 0, moved) })
    focus(`${to < from ? 'up' : 'down'}/${moved.id}`)
    say(`This is rule ${to + 1} of ${rules.length} now.`)
  }
  const remove = (index: number) => {
    edit('rules', { rules: rules.toSpliced(index, 1) })
    focus(add)
    say(`Rule ${index + 1} was removed.`)
  }
  return (
    <section aria-labelledby="rules">
      <h2 id="rules" tabIndex={-1}>
        Rules
      </h2>
      <p class="muted">
        {rules.length > 0
          ? 'They are checked in order. The first that matches decides.'
          : 'There are none: everybody gets the default variant below.'}
      </p>
      <ol class="rule-cards">
        {rules.map((rule, index) => (
          <li key={rule.id}>
            <Rule
              rule={rule}
              index={index}
              onMove={(by) => move(index, index + by)}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      {mistakes.rules !== undefined && <p class="mistake">{mistakes.rules}</p>}
      <div class="actions">
        <Action id={add} label="Add a rule" kind="outline" onPress={addRule} />
        <small role="status">{said}</small>
      </div>
    </section>
  )
}
