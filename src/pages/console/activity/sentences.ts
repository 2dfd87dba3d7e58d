import type { Schemas } from '../../shared/client.ts'
import { lazily } from '../../shared/lazily.ts'
import { counted, grouped } from '../grouped.ts'
import { done, failed } from './words.ts'

export type ActivityRecord = Schemas['ActivityRecord'] &
  Partial<Pick<Schemas['LabelledActivityRecord'], 'actor' | 'target'>>

/** A piece of a sentence, and the view that it leads to. */
export interface Part {
  text: string
  href?: string
}

/** Reasons that the sentence gives already. */
const given = ['rate-limited', 'permission-denied', 'cross-site']

/** A record as a sentence, without a full stop. */
export function partsOf(record: ActivityRecord): Part[] {
  const { action, outcome, reason, details } = record
  const template =
    (outcome === 'failure' && failed[action]) || (done[action] ?? `{actor}: ${action}{of}`)
  const whole = /^[A-Z{]/.test(template) && !/^\{(required|role)/.test(template)
  const parts = (whole ? template : `{actor} ${template}`)
    .split(/(\{\w+\})/)
    .flatMap((piece) =>
      piece.startsWith('{') ? filled(piece.slice(1, -1), record) : [{ text: piece }]
    )
    .filter(({ text }) => text !== '')
  if (reason === null || given.includes(reason)) return parts
  const why = details.error ?? reason.replaceAll('-', ' ')
  return [...parts, { text: outcome === 'failure' ? `: ${why}` : ` (${why})` }]
}

/** The same as text. */
export const sentenceOf = (record: ActivityRecord) =>
  partsOf(record)
    .map(({ text }) => text)
    .join('')

const prepositions = ['of', 'for', 'to', 'from', 'as', 'at']

function filled(name: string, record: ActivityRecord): Part[] {
  const { actorId, targetType, targetId, details } = record
  if (name === 'actor') return [actorOf(record)]
  if (name === 'target') return [targetOf(record)]
  if (prepositions.includes(name)) {
    const isOwn = targetId === null || targetId === actorId || targetType === 'session'
    return isOwn ? [] : [{ text: name === 'at' ? ' for ' : ` ${name} ` }, targetOf(record)]
  }
  if (name === 'role') {
    const key = details.role ?? ''
    return [{ text: 'the role ' }, { text: key, href: `/roles/${key}` }]
  }
  return [{ text: textOf(name, record) }]
}

function textOf(name: string, { details }: ActivityRecord): string {
  const { revoked = 0, count = 1, amr = [], members = 0 } = details
  switch (name) {
    case 'ended':
      return revoked > 0 ? `, which ended ${counted(revoked, 'session')}` : ''
    case 'sessions':
      return revoked > 0 ? counted(revoked, 'session') : 'a session'
    case 'with':
      return amr.length > 1 ? ' with a second factor' : amr.includes('hwk') ? ' with a passkey' : ''
    case 'times':
      return count > 1 ? `, ${grouped(count)} times` : ''
    case 'mails':
      return counted(count, 'mail')
    case 'rejected':
      return counted(count, 'setting')
    case 'users':
      return counted(count, 'user')
    case 'members':
      return counted(members, 'user')
    case 'required':
      return details.required ? 'required' : 'no longer required'
    case 'fields':
      return changesOf(details)
    case 'kind':
      return (details.kind ?? 'something').replaceAll('-', ' ')
    default:
      return String(details[name as keyof typeof details] ?? 'something')
  }
}

/** Such as `name from “Ada” to “Ada King” and profile`. */
function changesOf({ fields = [], changes = {} }: ActivityRecord['details']) {
  const values: Partial<Record<string, { from: unknown; to: unknown }>> = changes
  const all = fields.map((field) => {
    const change = values[field]
    return change
      ? `${words(field)} from ${quoted(change.from)} to ${quoted(change.to)}`
      : words(field)
  })
  return all.length > 0 ? list().format(all) : 'nothing'
}

const list = lazily(() => new Intl.ListFormat('en-GB'))

const words = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const quoted = (value: unknown) =>
  typeof value === 'boolean'
    ? value
      ? 'yes'
      : 'no'
    : value === ''
      ? 'nothing'
      : `“${String(value)}”`

const kinds = {
  cli: 'the command line',
  system: 'The portal',
  anonymous: 'Somebody',
  user: 'A user',
  service: 'A service'
}

function actorOf({ actorType, actorId, actorLabel, actor }: ActivityRecord): Part {
  if (actorType === 'cli') return { text: `${actorLabel ?? 'Somebody'} on ${kinds.cli}` }
  if (actorId === null) return { text: actorLabel ?? kinds[actorType] }
  if (actorType === 'service') {
    return { text: `The service ${actorLabel}`, href: `/services/${actorLabel}` }
  }
  return { text: actor?.name ?? actorLabel ?? 'A deleted user', href: `/users/${actorId}` }
}

const views: Record<string, string> = {
  user: 'users',
  role: 'roles',
  flag: 'flags',
  segment: 'segments'
}

function targetOf(record: ActivityRecord): Part {
  const { action, targetType, targetId, target, details } = record
  if (targetId === null || targetType === null) return { text: details.email ?? 'somebody' }
  if (targetType === 'session') return { text: 'a session' }
  const view = action.endsWith('.delete') ? undefined : views[targetType]
  const isUser = targetType === 'user'
  // Roles and services have ids that say nothing, and pages by their keys.
  const key = isUser
    ? targetId
    : ((targetType === 'role' ? details.key : details.service) ?? targetId)
  const label = isUser ? (target?.name ?? details.email ?? 'a deleted user') : key
  // The page of the flag or segment opens what this change was.
  const place = details.version === undefined ? '' : `#version-${details.version}`
  return { text: label, ...(view && { href: `/${view}/${key}${place}` }) }
}
