import { Area, Choice, Field } from '../../shared/controls.tsx'
import { at, useEditor } from './fields.tsx'
import { newId, operators } from './form.ts'
import type { Condition, ConditionForm } from './form.ts'

type Alter = (conditions: ConditionForm[]) => ConditionForm[]

/** The conditions of a rule on attributes of the context, all of which must hold. */
export function Conditions({
  place,
  conditions,
  onChange
}: {
  /** Of the rule. */
  place: string
  conditions: readonly ConditionForm[]
  onChange(inner: string, alter: Alter): void
}) {
  const { focus } = useEditor()
  const add = `${place}/add-condition`
  const addCondition = () => {
    const id = newId()
    onChange('', (before) => [...before, { id, name: '', op: 'in', values: '' }])
    focus(`${place}/attributes/${id}/name`)
  }
  return (
    <fieldset>
      <legend>Attributes</legend>
      {conditions.map(({ id, name, op, values }) => {
        const inner = `/attributes/${id}`
        const change = (changes: Partial<ConditionForm>) =>
          onChange(`/${id}`, (before) =>
            before.map((each) => (each.id === id ? { ...each, ...changes } : each))
          )
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
              class="secondary outline"
              onClick={() => {
                onChange(`/${id}`, (before) => before.filter((each) => each.id !== id))
                focus(add)
              }}
            >
              Remove<span class="unseen"> the condition on {name}</span>
            </button>
          </div>
        )
      })}
      <button id={add} type="button" class="secondary outline" onClick={addCondition}>
        Add a condition
      </button>
    </fieldset>
  )
}
