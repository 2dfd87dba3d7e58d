import { Area, Check, Choice, Field } from '../../shared/controls.tsx'
import { at, useEditor } from './fields.tsx'
import type { Flag, FlagForm } from './form.ts'
import { initial } from './variants.tsx'

/** What it is: for a new flag also the key and the type, which stay. */
export function Basics() {
  const { form, edit, isNew } = useEditor()
  const set = (changes: Partial<FlagForm>) => edit(Object.keys(changes)[0] ?? '', changes)
  const setType = (type: Flag['type']) =>
    edit('variants', {
      type,
      variants: form.variants.map((variant) => ({
        ...variant,
        value: type === 'boolean' ? String(variant.name === 'on') : initial[type]
      }))
    })
  return (
    <section aria-label="Basics">
      {isNew && (
        <div class="grid">
          <Field
            label="Key"
            {...at('key')}
            hint="Such as new-checkout. It cannot be changed later."
            value={form.key}
            maxLength={80}
            onValue={(key) => set({ key })}
          />
          <Choice
            label="Type"
            {...at('type')}
            hint="All variants have this type. It cannot be changed later."
            value={form.type}
            options={Object.keys(initial).map((type) => [type, type])}
            onValue={(type) => setType(type as Flag['type'])}
          />
        </div>
      )}
      <Area
        label="Description"
        {...at('description')}
        value={form.description}
        maxLength={300}
        onValue={(description) => set({ description })}
      />
    </section>
  )
}

/** How the flag as a whole is treated. The head of its page enables and disables it. */
export function Switches() {
  const { form, edit, isNew } = useEditor()
  const set = (changes: Partial<FlagForm>) => edit(Object.keys(changes)[0] ?? '', changes)
  return (
    <section aria-labelledby="switches">
      <h2 id="switches">Options</h2>
      {isNew && (
        <Check
          label="Enabled"
          {...at('state')}
          isSwitch
          checked={form.state === 'enabled'}
          onValue={(isEnabled) => set({ state: isEnabled ? 'enabled' : 'disabled' })}
        />
      )}
      <Check
        label="Public: callers who are not signed in can evaluate it"
        {...at('public')}
        isSwitch
        checked={form.public}
        onValue={(isPublic) => set({ public: isPublic })}
      />
      <Check
        label="Permanent: never reported as stale"
        {...at('permanent')}
        isSwitch
        checked={form.permanent}
        onValue={(permanent) => set({ permanent })}
      />
    </section>
  )
}
