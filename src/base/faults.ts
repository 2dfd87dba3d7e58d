import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { Value, ValueErrorType } from '@sinclair/typebox/value'
import { actions as portalActions } from '../../db/schema/actions.ts'
import { descriptionLength, permissionKeyForm } from '../../db/schema/roles.ts'
import { systemPermissions } from '../domain/permissions.ts'
import { describeTags } from '../http/document/operation-tags.ts'
import { problems } from '../problems/list.ts'
import { closed } from '../schemas/primitives.ts'
import type { AppDefinition } from './definition.ts'
import { wordFaults } from './word-faults.ts'

/** How many routes, permissions and actions an app can have. */
export const most = 200

const text = Type.String({
  minLength: 1,
  maxLength: descriptionLength.max,
  description: `a text of at most ${descriptionLength.max} characters`
})
const body = Type.String({ minLength: 1, description: 'a text' })
const number = Type.Number({ description: 'a number' })
const calls = Type.Function([], Type.Any(), { description: 'a function' })
const texts = Type.Array(text, { description: 'a list of texts' })
const named = (value: TSchema) =>
  Type.Record(Type.String(), value, { description: 'an object with a member for each name' })
const group = (required: Record<string, TSchema>, others: Record<string, TSchema> = {}) => {
  const optional = Object.entries(others).map(([name, value]) => [name, Type.Optional(value)])
  const properties = { ...required, ...Object.fromEntries(optional) }
  const description = `an object with ${Object.keys(properties).join(', ')}`
  return closed(properties, { description })
}

/** The form of a definition. Messages have its descriptions. */
const Definition = group(
  {},
  {
    permissions: named(text),
    grants: group({}, { user: texts }),
    actions: named(
      group({}, { when: Type.String({ description: 'a text' }), details: named(text) })
    ),
    targets: texts,
    tags: named(text),
    mails: named(
      group(
        {
          texts: named(
            group({ subject: text, text: body }, { button: group({ label: text, url: body }) })
          )
        },
        { params: texts }
      )
    ),
    problems: named(group({ status: number, title: text, detail: body }, { hint: body })),
    limits: named(group({ burst: number, seconds: number })),
    exports: named(calls),
    on: named(calls),
    hooks: group(
      {},
      {
        beforeRegister: calls,
        onFailure: Type.String({ pattern: '^(refuse|allow)$', description: "'refuse' or 'allow'" })
      }
    )
  }
)

/** Every mistake in a definition: what is wrong, and what to do. */
export function faultsOf(definition: AppDefinition): string[] {
  const malformed = formFaults(definition)
  if (malformed.length > 0) {
    const parts = new Set(malformed.map((fault) => fault.split(':', 1)[0]))
    if (parts.has('permissions')) parts.add('grants')
    const others = Object.entries(definition).filter(([part]) => !parts.has(part))
    if (others.length === Object.keys(definition).length) return malformed
    return [...malformed, ...faultsOf(Object.fromEntries(others))]
  }
  const { permissions = {}, grants = {}, actions = {}, problems: ownProblems = {} } = definition
  const faults: string[] = []
  for (const key of Object.keys(permissions)) {
    if (!permissionKeyForm.test(key)) {
      faults.push(`permissions: ${key} must be like orders:read, in lowercase`)
    }
    if (Object.hasOwn(systemPermissions, key)) {
      faults.push(`permissions: ${key} is a permission of the portal. Choose another key`)
    }
  }
  for (const [part, words] of Object.entries({ permissions, actions })) {
    const { length } = Object.keys(words)
    if (length <= most) continue
    faults.push(`${part}: there are ${length}. An app can have ${most}: join some`)
  }
  for (const key of grants.user ?? []) {
    if (!Object.hasOwn(permissions, key)) {
      faults.push(`grants: ${key} is not in permissions. Declare it there`)
    }
  }
  for (const [name, action] of Object.entries(actions)) {
    if (!action.when) faults.push(`actions: ${name} does not say when it is recorded. Add: when`)
  }
  for (const name of Object.keys(definition.on ?? {})) {
    if (!Object.hasOwn(portalActions, name) && !Object.hasOwn(actions, name)) {
      faults.push(
        `on: ${name} is not an action of the portal. Declare it in actions, or correct it`
      )
    }
  }
  for (const { name } of describeTags(Object.keys(definition.tags ?? {}))) {
    faults.push(`tags: ${name} is a tag of the portal. Choose another name`)
  }
  for (const code of Object.keys(ownProblems)) {
    if (Object.hasOwn(problems, code)) {
      faults.push(`problems: ${code} is a problem of the portal. Choose another code`)
    }
  }
  return [...faults, ...wordFaults(definition)]
}

/** Each member that is not as it must be, or that is unknown. */
function formFaults(definition: unknown): string[] {
  const faults = new Map<string, string>()
  for (const { type, path, schema } of Value.Errors(Definition, definition)) {
    const [part = '', ...names] = path.split('/').slice(1).map(unescaped)
    const what = `${part}: ${names.toReversed().join(' of ') || 'it'}`
    const text =
      type === ValueErrorType.ObjectAdditionalProperties
        ? `${what} is unknown. There must be ${schema.description}`
        : `${what} must be ${schema.description}`
    if (!faults.has(path)) faults.set(path, text)
  }
  return [...faults.values()]
}

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')
