import { Area, Choice, Field } from '../../shared/controls.tsx'
import { grouped } from '../grouped.ts'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { changed, newId, removed } from './form.ts'
import type { Flag, VariantForm } from './form.ts'

/** Of one flag, as in docs/do/flags.md. */
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
        <button id={add} type="button" class="outline" onClick={addVariant}>
          Add a variant
        </button>
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
      <button type="button" class="outline" onClick={remove}>
        Remove<span class="unseen"> the variant {name}</span>
      </button>
    </div>
  )
}
