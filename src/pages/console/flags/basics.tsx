import { Labelled, useEditor } from './fields.tsx'
import type { Flag, FlagForm } from './form.ts'
import { initial } from './variants.tsx'

/** Key, type, description and the two switches. */
export function Basics() {
  const { form, edit, isNew } = useEditor()
  const set = (changes: Partial<FlagForm>) =>
    edit(Object.keys(changes)[0] ?? '', (before) => ({ ...before, ...changes }))
  const setType = (type: Flag['type']) =>
    edit('variants', (before) => ({
      ...before,
      type,
      variants: before.variants.map((variant) => ({
        ...variant,
        value: type === 'boolean' ? String(variant.name === 'on') : initial[type]
      }))
    }))
  return (
    <section aria-label="Basics">
      {isNew && (
        <div class="grid">
          <Labelled
            label="Key"
            place="key"
            hint="Such as new-checkout. It cannot be changed later."
          >
            {(attributes) => (
              <input
                {...attributes}
                value={form.key}
                maxLength={80}
                autocomplete="off"
                onInput={(event) => set({ key: event.currentTarget.value })}
              />
            )}
          </Labelled>
          <Labelled
            label="Type"
            place="type"
            hint="All variants have this type. It cannot be changed later."
          >
            {(attributes) => (
              <select
                {...attributes}
                value={form.type}
                onChange={(event) => setType(event.currentTarget.value as Flag['type'])}
              >
                {Object.keys(initial).map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            )}
          </Labelled>
        </div>
      )}
      <Labelled label="Description" place="description">
        {(attributes) => (
          <textarea
            {...attributes}
            rows={1}
            value={form.description}
            maxLength={300}
            onInput={(event) => set({ description: event.currentTarget.value })}
          />
        )}
      </Labelled>
      <label>
        <input
          id="state"
          type="checkbox"
          role="switch"
          checked={form.state === 'enabled'}
          onChange={(event) => set({ state: event.currentTarget.checked ? 'enabled' : 'disabled' })}
        />
        Enabled
      </label>
      <label>
        <input
          id="public"
          type="checkbox"
          role="switch"
          checked={form.public}
          onChange={(event) => set({ public: event.currentTarget.checked })}
        />
        Public: callers who are not signed in can evaluate it
      </label>
    </section>
  )
}
