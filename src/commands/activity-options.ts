import { InvalidArgumentError } from 'commander'
import type { Db } from '../../db/engine.ts'
import { actionNames } from '../../db/schema/actions.ts'
import { feedCursorForm, outcomes } from '../../db/schema/activity.ts'
import { uuidForm } from '../../db/schema/columns.ts'
import type { ActivityFilters } from '../domain/activity/list.ts'
import { canonicalNetwork } from '../domain/networks.ts'
import { ownActions } from '../domain/vocabulary.ts'
import { findUserId } from '../domain/users/users.ts'
import type { Given } from './options.ts'
import { UsageError } from './errors.ts'
import { optionalUserId } from './user-argument.ts'

export const ipOption = [
  '--ip <network>',
  'only this address or network, such as 203.0.113.0/24',
  { parse: network }
] as const

export const filterOptions = [
  [
    '--action <action>',
    'only this action, such as auth.login; portal activity actions lists all',
    { parse: action }
  ],
  ['--outcome <outcome>', 'only this outcome', { choices: outcomes }],
  ['--actor <user>', 'id or e-mail address of the user who acted'],
  ['--target <target>', 'id, key or e-mail address of the target'],
  ipOption,
  ['--session <id>', 'only what was done in this session, and to it', { parse: id }],
  ['--request <id>', 'only what this request did: the instance of a refusal', { parse: id }],
  ['--from <time>', 'earliest time, inclusive; 10m, 1h or 2d for that long ago', { parse: time }],
  ['--to <time>', 'latest time, exclusive; now by default', { parse: time }]
] as const

export async function toFilters(
  db: Db,
  { action, outcome, actor, target, ip, session, request, from, to }: Given<typeof filterOptions>
): Promise<ActivityFilters> {
  return {
    action,
    outcome,
    ip,
    from,
    to,
    sessionId: session,
    requestId: request,
    actorId: await optionalUserId(db, actor),
    targetId: target?.includes('@') ? await findUserId(db, target) : target
  }
}

/** The id in `urn:uuid:…`, as `instance` of a problem has it, or alone. Undefined otherwise. */
export function idIn(text: string) {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
  return uuidForm.test(bare) ? bare : undefined
}

/** Whether it may be an action of an app, about which this process knows nothing. */
const isOfApp = (text: string) => {
  const [noun, verb] = text.split('.')
  return Boolean(noun && verb) && !actionNames.some((name) => name.startsWith(`${noun}.`))
}

function action(text: string) {
  if (actionNames.some((name) => name === text) || ownActions.has(text) || isOfApp(text)) {
    return text
  }
  const meant = suggest(text, actionNames)
  const guess =
    meant.length === 0
      ? ''
      : ` Did you mean ${meant.length === 1 ? '' : 'one of '}${meant.join(', ')}?`
  throw new InvalidArgumentError(`No such action.${guess} See: portal activity actions`)
}

function network(text: string) {
  const found = canonicalNetwork(text)
  if (found !== undefined) return found
  throw new InvalidArgumentError('Write an address or a network, such as 203.0.113.0/24.')
}

function id(text: string) {
  const found = idIn(text)
  if (found !== undefined) return found
  throw new InvalidArgumentError('An id looks like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e.')
}

const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Where the feed goes on: its cursor, or a time. */
export const cursor = (text: string) =>
  feedCursorForm.test(text) ? text : time(text).toISOString()

/** A time, or how long ago it was. */
export function time(text: string) {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const date =
    amount === undefined
      ? new Date(text)
      : new Date(Date.now() - Number(amount) * secondsOf[unit as keyof typeof secondsOf] * 1000)
  const year = date.getUTCFullYear()
  if (Number.isNaN(year) || year < 1900 || year > 2199) {
    throw new UsageError(
      `${text} is not a valid time. Write it like 2026-01-31 or 2026-01-31T09:30:00Z, or how ` +
        'long ago it was: 10m, 1h or 2d.'
    )
  }
  return date
}

/** Suggestions for a mistyped word: the words that contain it, else the most similar ones. */
export function suggest(text: string, words: readonly string[]): string[] {
  const containing = words.filter((word) => text.length > 2 && word.includes(text.toLowerCase()))
  if (containing.length > 0) return containing.slice(0, 5)
  const distances = words.map((word) => ({ word, distance: distanceOf(text.toLowerCase(), word) }))
  const least = Math.min(...distances.map(({ distance }) => distance))
  const isClose = least <= Math.max(2, text.length / 3)
  return isClose ? distances.filter((each) => each.distance === least).map(({ word }) => word) : []
}

/** Letters to insert, remove or replace (Levenshtein). */
function distanceOf(one: string, other: string) {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [m, letter] of [...one].entries()) {
    const next = [m + 1]
    for (let n = 0; n < other.length; n++) {
      const replaced = (row[n] ?? 0) + (letter === other[n] ? 0 : 1)
      next.push(Math.min(replaced, (row[n + 1] ?? 0) + 1, (next[n] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
