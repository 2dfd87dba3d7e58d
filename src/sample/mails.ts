import { mailKinds } from '../../db/schema/outbox.ts'
import type { outbox } from '../../db/schema/outbox.ts'
import { sealPayload } from '../domain/outbox/enqueue.ts'
import type { StoredContent } from '../domain/outbox/enqueue.ts'
import type { Sealing } from '../domain/sealing.ts'
import { maskEmail } from '../domain/users/emails.ts'
import { whereFrom } from './activity.ts'
import type { NewId } from './ids.ts'
import type { Person } from './people.ts'

type Row = typeof outbox.$inferInsert
type Kind = (typeof mailKinds)[number]

const hour = 3_600_000
/** Of no row: the links of the sample lead to a page that says that they are not valid. */
const token = 'c2FtcGxlLXNhbXBsZS1zYW1wbGUtc2FtcGxlLXNhbXBs'

/** Mail of every kind that was caught, and some that was sent, dropped or refused. */
export function makeMails(now: Date, people: Person[], newId: NewId, sealing: Sealing): Row[] {
  const make = (n: number, kind: Kind, state: Row['state'], lastError?: string): Row => {
    const to = people[n % people.length]
    if (!to) throw new Error('there are no people to write to')
    const at = new Date(now.getTime() - (n * 5 + 1) * hour)
    const id = newId(at)
    const { name, locale = null, timeZone = null } = to
    const reader = { name, locale, timeZone }
    const payload = { to: to.email, reader, content: contentOf(kind, at, n) }
    // What was dropped has expired by now.
    const expiresAt = new Date(at.getTime() + (state === 'dropped' ? 1 : 24) * hour)
    const isKept = state === 'caught' || state === 'dead'
    return {
      id,
      kind,
      userId: to.id,
      state,
      recipient: maskEmail(to.email),
      payload: isKept ? sealPayload(sealing, id, payload) : null,
      attempts: state === 'dead' ? 8 : 1,
      lastError,
      nextAt: at,
      expiresAt,
      createdAt: at,
      doneAt: state === 'dropped' ? expiresAt : new Date(at.getTime() + 2000)
    }
  }
  return [
    ...mailKinds.map((kind, n) => make(n, kind, 'caught')),
    ...Array.from({ length: 6 }, (_, n) => make(n + 2, 'new-device', 'sent')),
    make(4, 'confirm', 'dropped'),
    make(1, 'recovery', 'dead', 'smtp 550'),
    make(3, 'invitation', 'dead', 'smtp 552')
  ]
}

function contentOf(kind: Kind, at: Date, n: number): StoredContent {
  const link = { token, expiresAt: new Date(at.getTime() + 24 * hour).toISOString() }
  const facts = { at: at.toISOString(), ...whereFrom(n) }
  switch (kind) {
    case 'confirm':
    case 'invitation':
    case 'recovery':
    case 'email-change':
    case 'email-verify':
    case 'factor-enrolment':
      return { kind, ...link }
    case 'email-changed':
    case 'second-factor-added':
    case 'passkey-added':
    case 'password-changed':
    case 'deletion-planned':
      return { kind, ...link, ...facts }
    case 'address-kept':
      return { kind, until: link.expiresAt }
    case 'recovery-code-used':
      return { kind, left: 7, ...facts }
    case 'key-created':
      return { kind, name: 'Nightly report', lastFour: 'x7Qa', ...facts }
    case 'key-expiring':
      return { kind, name: 'Import', lastFour: '3kWd', expiresAt: link.expiresAt }
    case 'provider-linked':
      return { kind, provider: 'Google', ...link, ...facts }
    case 'provider-unlinked':
      return { kind, provider: 'Google', ...facts }
    case 'already-registered':
      return { kind }
    default:
      return { kind, ...facts }
  }
}
