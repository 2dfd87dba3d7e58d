import type { Schemas } from '../../shared/client.ts'
import { lazy } from '../../shared/time-format.ts'
import { counted, grouped } from '../grouped.ts'

/**
 * Sentences by action. `{actor}` comes first by default. `{of}` and `{for}` are left out where
 * people change what is their own.
 */
export const done: Record<string, string> = {
  'auth.register': '{target} registered',
  'auth.login': 'signed in{with}',
  'auth.second-factor-due': 'entered the right password; the second factor is due',
  'auth.second-factor': 'used the second factor',
  'auth.reauthenticate': 'authenticated again{with}',
  'auth.passkey-clone': 'A passkey of {target} may have been copied',
  'auth.provider-refused': 'A sign-in with {provider}{as} was refused',
  'auth.provider-logout': 'The provider {provider} signed {target} out{ended}',
  'auth.logout': 'signed out',
  'auth.password-change': 'changed the password{of}{ended}',
  'auth.register-request': 'A registration as {target} waits for its address to be confirmed',
  'auth.confirm-failed': 'A wrong password was entered to confirm {target}',
  'auth.recovery-request': 'asked for a new password{for}',
  'auth.recovery': 'set a new password{for} with a link{ended}',
  'auth.token-rejected': 'A forged or ambiguous session cookie was refused{times}',
  'session.revoke': 'ended {sessions}{of}',
  'session.limit': 'The oldest session of {actor} ended, because there were too many',
  'user.create': 'created the account of {target}',
  'user.update': 'changed {fields}{of}',
  'user.settings-update': 'changed the settings {fields}{of}',
  'user.email-change-request': 'asked for another address{for}',
  'user.email-change-cancel': 'kept the current address{for}',
  'user.email-verify': 'confirmed the address{of}',
  'user.email-revert': 'took back the change of the address{of}{ended}',
  'user.factor-revert': 'took back a second factor{of}{ended}',
  'user.invite': 'invited {target}',
  'user.confirm-link': 'sent a link to confirm the address{to}',
  'user.reset-link': 'created a link to set the password{of}',
  'user.totp-enrol': 'set up an authenticator app{for}',
  'user.totp-remove': 'removed the authenticator app{of}',
  'user.recovery-codes': 'replaced the recovery codes{of}',
  'user.recovery-code-use': 'used a recovery code',
  'user.passkey-add': 'added the passkey {name}',
  'user.passkey-rename': 'renamed a passkey to {name}',
  'user.passkey-remove': 'removed the passkey {name}{of}',
  'user.provider-link': 'linked an account at {provider}{for}',
  'user.provider-unlink': 'unlinked an account at {provider}{of}{ended}',
  'user.second-factor': '{required} the second factor at sign-in{for}',
  'user.second-factor-reset': 'removed all second factors{of}{ended}',
  'user.enrolment-link': 'sent a link to set up a second factor{to}',
  'user.deactivate': 'deactivated {target}{ended}',
  'user.reactivate': 'activated {target} again',
  'user.delete': 'deleted the account{of}',
  'user.deletion-plan': 'planned the deletion of the account{of}{ended}',
  'user.deletion-cancel': 'restored the account{of} before its deletion',
  'user.export': 'exported the data{of}',
  'user.role-grant': 'granted {role}{to}',
  'user.role-revoke': 'revoked {role}{from}',
  'user.password-set': 'set a password{for}{ended}',
  'scope.role-grant': 'granted {role} in {scope}{to}',
  'scope.role-revoke': 'revoked {role} in {scope}{from}',
  'scope.invite': 'invited {email} to {target}, for {role}',
  'scope.invitation-delete': 'withdrew the invitation of {email} to {target}',
  'scope.delete': 'deleted the scope {target}, in which {members} had a role',
  'role.create': 'created the role {target}',
  'role.update': 'changed {fields} of the role {target}',
  'role.delete': 'deleted the role {target}',
  'role.members-remove': 'took the role {target} from {members}',
  'role.permission-grant': 'granted {permission} to the role {target}',
  'role.permission-revoke': 'revoked {permission} from the role {target}',
  'permission.create': 'created the permission {target}',
  'permission.update': 'changed {fields} of the permission {target}',
  'permission.delete': 'deleted the permission {target}',
  'service.create': 'created the service {target}',
  'service.update': 'changed {fields} of the service {target}',
  'service.delete': 'deleted the service {target}',
  'service.role-grant': 'granted {role} to the service {target}',
  'service.role-revoke': 'revoked {role} from the service {target}',
  'key.create': 'created the API key {name}{for}',
  'key.revoke': 'revoked the API key {name}{of}',
  'key.use': 'The API key {name}{of} was used',
  'key.rejected': 'An API key{of} that is no longer valid was used{times}',
  'flag.create': 'created the flag {target}',
  'flag.update': 'changed {fields} of the flag {target}',
  'flag.delete': 'deleted the flag {target}',
  'flag.restore': 'restored an earlier version of the flag {target}',
  'segment.create': 'created the segment {target}',
  'segment.update': 'changed {fields} of the segment {target}',
  'segment.delete': 'deleted the segment {target}',
  'segment.restore': 'restored an earlier version of the segment {target}',
  'webhook.create': 'created the webhook to {target}',
  'webhook.update': 'changed {fields} of the webhook to {target}',
  'webhook.delete': 'deleted the webhook to {target}',
  'webhook.resend': 'had {events} of the webhook to {target} sent again',
  'access.denied': 'was refused {route}, which needs {permission}{times}',
  'request.cross-site': 'A request of another site to {route} was refused{times}',
  'auth.register-refused': 'A registration was refused, or needed a challenge first{times}',
  'throttle.limited': 'Too many attempts{at} were refused{times}',
  'throttle.reset': 'reset the rate limits{of}',
  'mail.dead': 'The mail {kind}{to} was refused for good',
  'mail.drop': 'The mail {kind}{to} expired before it could be delivered',
  'mail.retry': 'had {mails} sent again',
  'admin.bootstrap': 'The portal created the first administrator {target}',
  'users.export': 'exported {users} with password hashes',
  'settings.prune': 'removed {rejected} that the schema rejects',
  'portal.refresh': 'made all instances reload',
  'console.start': 'opened the console of an operator',
  'console.end': 'closed the console of an operator'
}

/** Sentences about failures, where those above do not fit. */
const failed: Record<string, string> = {
  'auth.register': 'A registration as {target} failed',
  'auth.login': 'A sign-in{as} failed',
  'auth.second-factor': 'A second factor{of} was refused',
  'auth.reauthenticate': '{actor} failed to authenticate again',
  'auth.provider-logout': 'A sign-out by the provider {provider} was refused'
}

export type ActivityRecord = Schemas['ActivityRecord'] &
  Partial<Pick<Schemas['LabelledActivityRecord'], 'actor' | 'target'>> & {
    /** When it is recorded, as a clause. Only actions of the app have it. */
    when?: string
  }

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
    (outcome === 'failure' && failed[action]) ||
    (done[action] ??
      (record.when === undefined ? `{actor}: ${action}{of}` : '{actor}: {when}{about}'))
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

/** Returns the sentence of a record as text. */
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
  if (name === 'when') return [{ text: record.when ?? '' }]
  if (name === 'about') {
    if (targetId === null || targetId === actorId) return []
    if (targetType === 'user') return [{ text: ' (' }, targetOf(record), { text: ')' }]
    return [{ text: ` (${targetType} ${targetId})` }]
  }
  if (name === 'role') {
    const key = details.role ?? ''
    return [{ text: 'the role ' }, { text: key, href: `/roles/${key}` }]
  }
  if (name === 'scope' && details.scope !== undefined) {
    return [{ text: details.scope, href: `/scopes/${details.scope}` }]
  }
  return [{ text: textOf(name, record) }]
}

function textOf(name: string, { details }: ActivityRecord): string {
  const { revoked = 0, count = 1, amr = [], members = 0 } = details
  const way = amr.length > 1 ? 'second factor' : amr.includes('hwk') ? 'passkey' : undefined
  const texts: Partial<Record<string, () => string>> = {
    ended: () => (revoked > 0 ? `, which ended ${counted(revoked, 'session')}` : ''),
    sessions: () => (revoked > 0 ? counted(revoked, 'session') : 'a session'),
    with: () => (way === undefined ? '' : ` with a ${way}`),
    times: () => (count > 1 ? `, ${grouped(count)} times` : ''),
    mails: () => counted(count, 'mail'),
    events: () => counted(count, 'event'),
    users: () => counted(count, 'user'),
    rejected: () => counted(count, 'setting'),
    members: () => counted(members, 'user'),
    required: () => (details.required ? 'required' : 'no longer required'),
    fields: () => changesOf(details),
    kind: () => (details.kind ?? 'something').replaceAll('-', ' ')
  }
  return texts[name]?.() ?? String(details[name as keyof typeof details] ?? 'something')
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

const list = lazy(() => new Intl.ListFormat('en-GB'))

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

export function actorOf({ actorType, actorId, actorLabel, actor }: ActivityRecord): Part {
  if (actorType === 'cli') return { text: `${actorLabel ?? 'Somebody'} on ${kinds.cli}` }
  if (actorId === null) return { text: actorLabel ?? kinds[actorType] }
  if (actorType === 'service') {
    return { text: `The service ${actorLabel}`, href: `/services/${actorLabel}` }
  }
  return { text: actor?.name ?? actorLabel ?? 'A deleted user', href: `/users/${actorId}` }
}

/** Targets with a view of their own. */
const viewed = ['user', 'role', 'flag', 'segment', 'scope', 'webhook']

export function targetOf(record: ActivityRecord): Part {
  const { action, targetType, targetId, target, details } = record
  if (targetId === null || targetType === null) return { text: details.email ?? 'somebody' }
  if (targetType === 'session') return { text: 'a session' }
  const isThere = !action.endsWith('.delete') && viewed.includes(targetType)
  const view = isThere ? `${targetType}s` : undefined
  if (targetType === 'webhook') {
    const href = view && `/${view}/${targetId}`
    return { text: details.host ?? 'the app', ...(href && { href }) }
  }
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
