import { actionNames, targetTypes } from '../../db/schema/actions.ts'
import { mailKinds } from '../../db/schema/outbox.ts'
import { fill } from '../domain/mail/texts.ts'
import { budgets } from '../domain/throttling/budgets.ts'
import { ActivityDetails } from '../schemas/activity.ts'
import type { AppDefinition } from './definition.ts'

const word = /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const actionForm = /^(?=.{1,40}$)[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/
const detailForm = /^[a-z][A-Za-z0-9]{0,39}$/
const paramForm = /^(?!name$|product$)[a-z]+$/
const types = ['string', 'number', 'boolean', 'string[]']

/** See `plainText` in src/schemas/primitives.ts. */
const notPlain = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

/** Whether a problem document can show it. */
export const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most && !notPlain.test(value)

const unless = (isRight: boolean, fault: string) => (isRight ? [] : [fault])

/** Names that are malformed, or taken by the portal. */
const nameFaults = (part: string, names: Iterable<string>, form: RegExp, taken: object) =>
  [...names].flatMap((name) => [
    ...unless(form.test(name), `${part}: ${name} must match ${form.source}`),
    ...unless(
      !Object.values(taken).includes(name),
      `${part}: ${name} is one of the portal. Choose another name`
    )
  ])

type Part<Name extends keyof AppDefinition> = NonNullable<AppDefinition[Name]>

/** The mistakes in the names and texts of an app that the portal would store, send or publish. */
export function wordFaults(definition: AppDefinition): string[] {
  const { actions = {}, targets = [], mails = {}, problems = {}, limits = {} } = definition
  const { keys, entries } = Object
  return [
    ...nameFaults('actions', keys(actions), actionForm, actionNames),
    ...detailFaults(actions),
    ...nameFaults('targets', targets, word, targetTypes),
    ...nameFaults('mails', keys(mails), word, [...mailKinds, 'app', 'test']),
    ...entries(mails).flatMap(([kind, mail]) => mailFaults(kind, mail)),
    ...nameFaults('problems', keys(problems), word, []),
    ...entries(problems).flatMap(([code, { status, title, detail }]) => [
      ...unless(
        Number.isInteger(status) && status >= 400 && status < 600,
        `problems: the status of ${code} must be from 400 to 599`
      ),
      ...unless(
        isText(title, 200) && isText(detail, 500),
        `problems: ${code} needs a title of at most 200 and a detail of at most 500 characters`
      )
    ]),
    ...nameFaults('limits', keys(limits), word, keys(budgets)),
    ...entries(limits).flatMap(([name, { burst, seconds }]) =>
      unless(
        Number.isInteger(burst) && burst > 0 && seconds > 0,
        `limits: ${name} needs a burst of at least 1, and more than 0 seconds`
      )
    )
  ]
}

function detailFaults(actions: Part<'actions'>) {
  const known = new Map<string, string>()
  const taken = Object.keys(ActivityDetails.properties)
  return Object.entries(actions).flatMap(([name, { details = {} }]) => [
    ...nameFaults('actions', Object.keys(details), detailForm, taken),
    ...Object.entries(details).flatMap(([detail, type]) => {
      const other = known.get(detail) ?? type
      known.set(detail, type)
      return [
        ...unless(
          types.includes(type),
          `actions: the detail ${detail} of ${name} must be one of ${types.join(', ')}`
        ),
        ...unless(
          other === type,
          `actions: the detail ${detail} is a ${type} in ${name}, and a ${other} elsewhere`
        )
      ]
    })
  ])
}

function mailFaults(kind: string, { params = [], texts }: Part<'mails'>[string]) {
  const values = Object.fromEntries([...params, 'name', 'product'].map((name) => [name, 'x']))
  return [
    ...unless(Boolean(texts.en), `mails: ${kind} has no text in English. Add: texts.en`),
    ...params.flatMap((name) =>
      unless(
        paramForm.test(name),
        `mails: the param ${name} of ${kind} must be lowercase letters, and not name or product`
      )
    ),
    ...Object.entries(texts).flatMap(([tag, { subject, text, button }]) => {
      const where = `mails: ${kind} in ${tag}`
      const { label, url } = button ?? { label: 'x', url: '/' }
      const unknown = [subject, text, label, url].flatMap(
        (each) => fill(each, values).match(/\{[^{}]*\}/g) ?? []
      )
      return [
        ...unknown.map((each) => `${where} has ${each}, which is not in params`),
        ...unless(
          /^(\/(?!\/)|https?:\/\/)/.test(url),
          `${where}: the url of the button must begin with / or https://`
        )
      ]
    })
  ]
}
