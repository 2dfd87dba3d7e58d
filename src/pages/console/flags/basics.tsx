import { Area, Check, Choice, Field } from '../../shared/controls.tsx'
import { named } from '../action-buttons.tsx'
import { grouped } from '../grouped.ts'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { changed, newId, removed } from './form.ts'
import type { Flag, VariantForm } from './form.ts'
import { Action } from '../../shared/form.tsx'

/** The description, and the key and the type of a new flag, which cannot change. */
export function Basics() {
  const { form, edit, isNew } = useEditor()
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
            onValue={(key) => edit('key', { key })}
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
        onValue={(description) => edit('description', { description })}
      />
    </section>
  )
}

const options = {
  public: 'Public: callers who are not signed in can evaluate it',
  permanent: 'Permanent: never reported as stale'
}

/** How the flag as a whole is treated. The head of its page enables and disables it. */
export function Switches() {
  const { form, edit, isNew } = useEditor()
  return (
    <section aria-labelledby="switches">
      <h2 id="switches">Options</h2>
      {isNew && (
        <Check
          label="Enabled"
          {...at('state')}
          isSwitch
          checked={form.state === 'enabled'}
          onValue={(isEnabled) => edit('state', { state: isEnabled ? 'enabled' : 'disabled' })}
        />
      )}
      {(['public', 'permanent'] as const).map((part) => (
        <Check
          key={part}
          label={options[part]}
          {...at(part)}
          isSwitch
          checked={form[part]}
          onValue={(isOn) => edit(part, { [part]: isOn })}
        />
      ))}
    </section>
  )
}

/** The limit of one flag, as in docs/do/flags.md. */
const maxBytes = 16_384
const add = 'add-variant'

/** The variants, and which of them is served when no rule decides. */
export function Variants() {
  const { form, flag, edit, focus, mistakes, decided } = useEditor()
  const bytes = new Blob([JSON.stringify(flag.variants)]).size
  const addVariant = () => {
    const id = newId()
    edit('variants', { variants: [...form.variants, { id, name: '', value: initial[form.type] }] })
    focus(`variants/${id}/name`)
  }
  const decides =
    decided?.rule === null &&
    (form.state === 'disabled' ? 'offVariant' : ('defaultVariant' as const))
  const choice = (place: 'defaultVariant' | 'offVariant', label: string) => (
    <VariantChoice
      label={
        <>
          {label} {decides === place && <mark>Decides</mark>}
        </>
      }
      {...at(place)}
      value={form[place]}
      onValue={(id) => edit(place, { [place]: id })}
    />
  )
  return (
    <section aria-labelledby="variants">
      <h2 id="variants" tabIndex={-1}>
        Variants
      </h2>
      {form.variants.map((variant) => (
        <Variant key={variant.id} variant={variant} />
      ))}
      {mistakes.variants !== undefined && <p class="mistake">{mistakes.variants}</p>}
      <div class="actions">
        <Action id={add} label="Add a variant" kind="outline" onPress={addVariant} />
        {bytes > 0.8 * maxBytes && (
          <small class="muted">
            {grouped(bytes)} of {grouped(maxBytes)} bytes of JSON
          </small>
        )}
      </div>
      <div class="grid">
        {choice('defaultVariant', 'Default, when no rule matches')}
        {choice('offVariant', 'When the flag is disabled')}
      </div>
    </section>
  )
}

/** The value of a new variant. */
const initial: Record<Flag['type'], string> = {
  boolean: 'false',
  string: '',
  number: '0',
  object: '{}'
}

function Variant({ variant: { id, name, value } }: { variant: VariantForm }) {
  const { form, edit, focus } = useEditor()
  const place = `variants/${id}`
  const change = (changes: Partial<VariantForm>) =>
    edit(place, { variants: changed(form.variants, id, changes) })
  const remove = () => {
    edit(place, { variants: removed(form.variants, id) })
    focus(add)
  }
  return (
    <div class="row">
      <Field
        label="Name"
        {...at(`${place}/name`)}
        value={name}
        maxLength={80}
        onValue={(name) => change({ name })}
      />
      <div class="wide">
        {form.type === 'boolean' ? (
          <Choice
            label="Value"
            {...at(place)}
            value={value}
            options={['true', 'false'].map((each) => [each, each])}
            onValue={(value) => change({ value })}
          />
        ) : (
          <Area
            label="Value"
            {...at(place)}
            value={value}
            spellcheck={false}
            onValue={(value) => change({ value })}
          />
        )}
      </div>
      <Action label={named('Remove', `the variant ${name}`)} kind="outline" onPress={remove} />
    </div>
  )
}
