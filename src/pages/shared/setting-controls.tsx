import { defaultOf } from '../../common/settings.ts'
import type { SettingSchema } from '../../common/settings.ts'
import { RejectedCall, savedFrom } from './client.ts'
import { Area, Check, Choice, Field } from './controls.tsx'
import { Action } from './form.tsx'
import { Mistake } from './problem.tsx'
import { say } from './say.ts'
import { fieldsOf, patchOf } from './setting-fields.ts'
import type { Document, SettingEntry, SettingField } from './setting-fields.ts'
import { formatTime } from './time-format.ts'

/** The controls of a form. The names are JSON Pointers: a name alone could be that of a method. */
export const SettingControls = ({ fields }: { fields: readonly SettingEntry[] }) => (
  <>
    {fields.map((field) =>
      field.kind === 'group' ? (
        <fieldset key={field.pointer}>
          <legend>{field.label}</legend>
          {field.hint && <p class="muted">{field.hint}</p>}
          <SettingControls fields={field.fields} />
        </fieldset>
      ) : (
        <Control key={field.pointer + field.kind} field={field} />
      )
    )}
  </>
)

const types = {
  number: 'number',
  date: 'date',
  'date-time': 'datetime-local',
  text: 'text'
} as const
const inputModes: Record<string, 'email' | 'url'> = { email: 'email', uri: 'url' }

function Control({ field }: { field: SettingField }) {
  const { kind, pointer: name, label, hint, schema, text, value } = field
  const common = { label, name, hint, defaultValue: text }
  if (kind === 'checkbox') {
    const all = hint ? (
      <span>
        {label} <small class="muted">{hint}</small>
      </span>
    ) : (
      label
    )
    return <Check label={all} name={name} defaultChecked={text === 'on'} />
  }
  if (kind === 'choice') {
    const options = (schema.enum ?? []).map((each) => [JSON.stringify(each), String(each)] as const)
    const hasNone = value === undefined || schema.default === undefined
    return (
      <Choice {...common} options={hasNone ? [['', say('setting-none')], ...options] : options} />
    )
  }
  if (kind === 'area' || kind === 'lines' || kind === 'json') {
    const how = kind === 'lines' ? say('setting-lines') : kind === 'json' ? 'JSON.' : ''
    const hints = [hint, how].filter(Boolean).join(' ') || undefined
    return (
      <Area
        {...common}
        hint={hints}
        rows={3}
        {...(kind === 'json' && { class: 'code', spellcheck: false })}
      />
    )
  }
  return (
    <Field
      {...common}
      type={types[kind]}
      {...(kind === 'number' && { step: 'any' })}
      {...(kind === 'date-time' && { step: 1 })}
      {...(schema.format && { inputMode: inputModes[schema.format] })}
    />
  )
}

/** The values of a document, for people. */
export function shownOf(schema: SettingSchema, document: Document) {
  const defaults = new Map(
    flatOf(fieldsOf(schema, (defaultOf(schema) ?? {}) as Document)).map(({ pointer, value }) => [
      pointer,
      JSON.stringify(value)
    ])
  )
  return flatOf(fieldsOf(schema, document)).map((field) => ({
    pointer: field.pointer,
    label: field.label,
    value: textOf(field),
    isSet: field.value !== undefined,
    isDefault:
      field.value !== undefined && JSON.stringify(field.value) === defaults.get(field.pointer)
  }))
}

/** The fields, whose labels begin with those of the objects around them. */
const flatOf = (fields: readonly SettingEntry[], before = ''): SettingField[] =>
  fields.flatMap((field) => {
    const label = before + field.label
    return field.kind === 'group' ? flatOf(field.fields, `${label}: `) : [{ ...field, label }]
  })

function textOf({ kind, value }: SettingField) {
  if (value === undefined) return <span class="muted">{say('setting-none')}</span>
  if (kind === 'checkbox') return say(value === true ? 'yes' : 'no')
  if (kind === 'date-time') return formatTime(String(value))
  if (kind === 'lines') return (value as unknown[]).join(', ')
  return kind === 'json' ? <code>{JSON.stringify(value)}</code> : String(value)
}

/** Whether somebody else has changed the part since it was loaded. */
export const isStale = (error: unknown) =>
  error instanceof RejectedCall && error.problem.code === 'precondition-failed'

/** A remedy for the form: typed texts stay, and the other fields show the stored values. */
export const loadAgain = (reload: () => Promise<void>) => (error: unknown, clear: () => void) =>
  isStale(error) && (
    <Action
      label={say('load-again')}
      kind="outline"
      onPress={async () => {
        await reload()
        clear()
      }}
    />
  )

/**
 * Saves what was changed. Undefined if nothing was.
 * @param texts of the controls
 */
export async function savedPart(
  fields: readonly SettingEntry[],
  texts: Record<string, string>,
  send: (patch: Document) => Parameters<typeof savedFrom<Document>>[0]
) {
  const patch = patchOf(fields, texts)
  if (Object.keys(patch).length === 0) return undefined
  try {
    return await savedFrom(send(patch))
  } catch (error) {
    // No control shows a mistake in the whole document, such as its size.
    const whole =
      error instanceof RejectedCall && error.problem.errors?.find(({ pointer }) => pointer === '')
    throw whole ? new Mistake(whole.message) : error
  }
}
