import { FormatRegistry, Type } from '@sinclair/typebox'
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Value, ValueErrorType, ValuePointer } from '@sinclair/typebox/value'
import { actionNames, targetTypes } from '../../db/schema/actions.ts'
import { mailKinds } from '../../db/schema/outbox.ts'
import { descriptionLength, permissionKeyForm, permissionKeyLength } from '../../db/schema/roles.ts'
import { fill } from '../domain/mail/texts.ts'
import { systemPermissionKeys } from '../domain/permissions.ts'
import { budgets } from '../domain/throttling/budgets.ts'
import { tagNames } from '../http/document/operation-tags.ts'
import { problems } from '../problems/list.ts'
import { ActivityDetails } from '../schemas/activity.ts'
import { closed } from '../schemas/primitives.ts'
import type { AppDefinition } from './definition.ts'

/** How many routes an app can have, and how many members each part of its definition. */
export const most = 200

/** A mistake in a definition: the names that lead to it, and what is wrong and what to do. */
export interface Fault {
  path: readonly string[]
  text: string
}

const { entries, fromEntries, keys } = Object

/** See `plainText` in src/schemas/primitives.ts. */
const notPlain = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u
FormatRegistry.Set('plain', (value) => !notPlain.test(value))

const plain = (maxLength: number) => {
  const description = `a text of at most ${maxLength} characters, without control characters`
  return Type.String({ format: 'plain', minLength: 1, maxLength, description })
}
/** A text that a problem document can show. */
export const problemDetail = plain(500)

/** @param taken the words of the portal */
const like = (form: { source: string }, description: string, taken: readonly string[] = []) => {
  const others = taken.length > 0 ? `(?!(${taken.join('|').replaceAll('.', '\\.')})$)` : ''
  return Type.String({ pattern: form.source.replace('^', `^${others}`), description, taken })
}
const word = (taken: readonly string[] = []) =>
  like(
    /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'at most 40 characters, in lowercase and with hyphens between words',
    taken
  )
const permission = like(
  { source: permissionKeyForm.source.replace('^', `^(?=.{3,${permissionKeyLength.max}}$)`) },
  `like orders:read, in lowercase and at most ${permissionKeyLength.max} characters`,
  systemPermissionKeys
)
const action = like(
  /^(?=.{1,40}$)[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/,
  'like order.ship, in lowercase and at most 40 characters',
  actionNames
)
const detail = like(
  /^[a-z][A-Za-z0-9]{0,39}$/,
  'at most 40 letters and digits',
  keys(ActivityDetails.properties)
)
const types = /^(string|number|boolean|string\[\])$/
const detailType = like(types, 'one of string, number, boolean, string[]')
const param = like(/^(?!name$|product$)[a-z]+$/, 'lowercase letters, and not name or product')
const url = like(/^(\/(?!\/)|https?:\/\/)/, 'a text that begins with / or https://')
const text = plain(descriptionLength.max)
const body = Type.String({ minLength: 1, description: 'a text' })
const status = Type.Integer({ minimum: 400, maximum: 599, description: 'a number from 400 to 599' })
const burst = Type.Integer({ minimum: 1, description: 'a number of at least 1' })
const seconds = Type.Number({ exclusiveMinimum: 0, description: 'a number above 0' })
const calls = Type.Function([], Type.Any(), { description: 'a function' })

const maybe = Type.Optional
const listOf = (items: TSchema) => Type.Array(items, { description: 'a list of texts' })
const group = (properties: TProperties) =>
  closed(properties, { description: `an object with ${keys(properties).join(', ')}` })
const named = (value: TSchema, names = like(/^.+$/, 'a text in one line')) =>
  Type.Record(names, value, {
    // Not false, which TypeBox reports once.
    additionalProperties: Type.Never({ description: names.description ?? '', taken: names.taken }),
    maxProperties: most,
    description: `an object with a member for each name, and at most ${most}`
  })
const mailText = { subject: text, text: body, button: maybe(group({ label: text, url })) }

/** The form of a definition. Messages have its descriptions. */
const Definition = group({
  permissions: maybe(named(text, permission)),
  grants: maybe(group({ user: maybe(listOf(text)) })),
  actions: maybe(named(group({ when: text, details: maybe(named(detailType, detail)) }), action)),
  targets: maybe(listOf(word(targetTypes))),
  tags: maybe(named(text, like(/^.+$/, 'a text in one line', tagNames))),
  mails: maybe(
    named(
      group({ texts: named(group(mailText)), params: maybe(listOf(param)) }),
      word([...mailKinds, 'app', 'test'])
    )
  ),
  problems: maybe(
    named(
      group({ status, title: plain(200), detail: problemDetail, hint: maybe(body) }),
      word(keys(problems))
    )
  ),
  limits: maybe(named(group({ burst, seconds }), word(keys(budgets)))),
  exports: maybe(named(calls)),
  on: maybe(named(calls)),
  hooks: maybe(
    group({
      beforeRegister: maybe(calls),
      onFailure: maybe(like(/^(refuse|allow)$/, "'refuse' or 'allow'"))
    })
  )
})

const faultAt = (path: string[], text: string): Fault => ({ path, text: `${path[0]}: ${text}` })

/** Every mistake in a definition. */
export function faultsOf(definition: AppDefinition): Fault[] {
  const faults = formFaults(definition)
  const malformed = new Set(faults.map(({ path: [part] }) => part))
  const add = (path: string[], text: string) => faults.push(faultAt(path, text))
  const wellFormed = entries(definition).filter(([part]) => !malformed.has(part))
  const sound: AppDefinition = fromEntries(wellFormed)
  const { permissions = {}, grants = {}, actions = {}, mails = {}, on = {} } = sound
  for (const key of malformed.has('permissions') ? [] : (grants.user ?? [])) {
    const text = `${key} is not in permissions. Declare it there`
    if (!Object.hasOwn(permissions, key)) add(['grants', key], text)
  }
  // The document has one type for details of the same name.
  const typeOf: Record<string, string> = {}
  for (const [name, { details = {} }] of entries(actions)) {
    for (const [detail, type] of entries(details)) {
      const other = (typeOf[detail] ??= type)
      const text = `the detail ${detail} is a ${type} in ${name}, and a ${other} elsewhere`
      if (other !== type) add(['actions', name, detail], text)
    }
  }
  const known: string[] = [...actionNames, ...keys(actions)]
  for (const name of keys(on).filter((each) => !known.includes(each))) {
    add(['on', name], `${name} is not an action. Declare it in actions, or correct it`)
  }
  for (const [kind, { params = [], texts }] of entries(mails)) {
    // The compiler knows that there is one, but an app may be JavaScript.
    if (!keys(texts).includes('en')) {
      add(['mails', kind], `${kind} has no text in English. Add: texts.en`)
    }
    const values = fromEntries([...params, 'name', 'product'].map((name) => [name, 'x']))
    for (const [tag, { subject, text, button }] of entries(texts)) {
      const all = [subject, text, button?.label, button?.url].join('\n')
      for (const unknown of fill(all, values).match(/\{[^{}]*\}/g) ?? []) {
        const path = ['mails', kind, 'texts', tag]
        add(path, `${kind} in ${tag} has ${unknown}, which is not in params`)
      }
    }
  }
  return faults
}

/** Each member that is not as it must be, or that is unknown. */
function formFaults(definition: unknown): Fault[] {
  const faults = new Map<string, Fault>()
  for (const { type, path: pointer, schema, value } of Value.Errors(Definition, definition)) {
    const path = [...ValuePointer.Format(pointer)]
    // A message names the item of a list, not its number.
    if (typeof value === 'string' && /^\d+$/.test(path.at(-1) ?? '')) path.splice(-1, 1, value)
    const text = (schema.taken as string[] | undefined)?.includes(path.at(-1) ?? '')
      ? 'is one of the portal. Choose another name'
      : type === ValueErrorType.ObjectAdditionalProperties
        ? `is unknown. There must be ${schema.description}`
        : `must be ${schema.description}`
    const what = path.slice(1).toReversed().join(' of ') || 'it'
    if (!faults.has(pointer)) faults.set(pointer, faultAt(path, `${what} ${text}`))
  }
  return [...faults.values()]
}
