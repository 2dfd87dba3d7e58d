import { Area, Choice, Field } from '../../shared/controls.tsx'
import { at, useEditor } from './fields.tsx'
import { changed, newId, operators, removed } from './form.ts'
import type { Condition, ConditionForm } from './form.ts'

/** The conditions of a rule on attributes of the context, all of which must hold. */
export function Conditions({
  place,
  conditions,
  onChange
}: {
  /** Of the rule. */
  place: string
  conditions: readonly ConditionForm[]
  /** @param inner which of them has changed */
  onChange(inner: string, attributes: ConditionForm[]): void
}) {
  const { focus } = useEditor()
  const add = `${place}/add-condition`
  const addCondition = () => {
    const id = newId()
    onChange('', [...conditions, { id, name: '', op: 'in', values: '' }])
    focus(`${place}/attributes/${id}/name`)
  }
  return (
    <fieldset>
      <legend>Attributes</legend>
      {conditions.map(({ id, name, op, values }) => {
        const inner = `/attributes/${id}`
        const change = (changes: Partial<ConditionForm>) =>
          onChange(`/${id}`, changed(conditions, id, changes))
        return (
          <div key={id} class="row">
            <Field
              label="Name"
              {...at(`${place}${inner}/name`)}
              value={name}
              maxLength={80}
              onValue={(name) => change({ name })}
            />
            <Choice
              label="Condition"
              {...at(`${place}${inner}/op`)}
              value={op}
              options={Object.entries(operators)}
              onValue={(op) => change({ op: op as Condition['op'] })}
            />
            <div class="wide">
              <Area
                label="Values"
                {...at(place + inner)}
                hint={'One per line. Write "42" for text that looks like a number.'}
                spellcheck={false}
                value={values}
                onValue={(values) => change({ values })}
              />
            </div>
            <button
              type="button"
              class="outline"
              onClick={() => {
                onChange(`/${id}`, removed(conditions, id))
                focus(add)
              }}
            >
              Remove<span class="unseen"> the condition on {name}</span>
            </button>
          </div>
        )
      })}
      <button id={add} type="button" class="outline" onClick={addCondition}>
        Add a condition
      </button>
    </fieldset>
  )
}
