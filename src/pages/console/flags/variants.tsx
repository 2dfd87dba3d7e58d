import { Area, Choice, Field } from '../../shared/controls.tsx'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { flagOf, newId } from './form.ts'
import type { Flag, VariantForm } from './form.ts'

/** Of one flag, as in docs/flags.md. */
const maxBytes = 16_384
const add = 'add-variant'

/** The variants, and which of them is served when no rule decides. */
export function Variants() {
  const { form, edit, focus, mistakes, decided } = useEditor()
  const bytes = new Blob([JSON.stringify(flagOf(form).flag.variants)]).size
  const addVariant = () => {
    const id = newId()
    const value = initial[form.type]
    edit('variants', (before) => ({
      ...before,
      variants: [...before.variants, { id, name: '', value }]
    }))
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
      onValue={(id) => edit(place, (before) => ({ ...before, [place]: id }))}
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
        <button id={add} type="button" class="secondary outline" onClick={addVariant}>
          Add a variant
        </button>
        <small>
          {bytes.toLocaleString('en')} of {maxBytes.toLocaleString('en')} bytes of JSON
        </small>
      </div>
      <div class="grid">
        {choice('defaultVariant', 'Default, when no rule matches')}
        {choice('offVariant', 'When the flag is disabled')}
      </div>
    </section>
  )
}

/** The value of a new variant. */
export const initial: Record<Flag['type'], string> = {
  boolean: 'false',
  string: '',
  number: '0',
  object: '{}'
}

function Variant({ variant: { id, name, value } }: { variant: VariantForm }) {
  const { form, edit, focus } = useEditor()
  const place = `variants/${id}`
  const change = (changes: Partial<VariantForm>) =>
    edit(place, (before) => ({
      ...before,
      variants: before.variants.map((each) => (each.id === id ? { ...each, ...changes } : each))
    }))
  const remove = () => {
    edit(place, (before) => ({
      ...before,
      variants: before.variants.filter((each) => each.id !== id)
    }))
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
      <button type="button" class="secondary outline" onClick={remove}>
        Remove<span class="unseen"> the variant {name}</span>
      </button>
    </div>
  )
}
