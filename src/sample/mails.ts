import { sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { mailKinds, outbox } from '../../db/schema/outbox.ts'
import type { OutboxRow } from '../../db/schema/outbox.ts'
import { enqueue, readerOf } from '../domain/outbox/enqueue.ts'
import type { StoredContent } from '../domain/outbox/enqueue.ts'
import type { Sealing } from '../domain/sealing.ts'
import { whereFrom } from './activity.ts'
import type { Person } from './people.ts'

const hour = 3_600_000

type Fate = [n: number, kind: OutboxRow['kind'], state: OutboxRow['state'], error?: string]

/** The number of a mail says who gets it, and when: the higher, the earlier. */
const fates: Fate[] = [
  ...mailKinds.map((kind, n): Fate => [n, kind, 'caught']),
  ...Array.from({ length: 6 }, (_, n): Fate => [n + 2, 'new-device', 'sent']),
  [4, 'confirm', 'dropped'],
  [1, 'recovery', 'dead', 'smtp 550'],
  [3, 'invitation', 'dead', 'smtp 552']
]

/** Writes mail of every kind that was caught, and some that was sent, dropped or refused. */
export async function writeMails(tx: Db, sealing: Sealing, people: Person[], now: Date) {
  const written = []
  for (const [n, kind, state, error] of fates.toSorted(([a], [b]) => b - a)) {
    const to = people[n % people.length]
    if (!to) throw new Error('there are no people to write to')
    const at = new Date(now.getTime() - (n * 5 + 1) * hour)
    const payload = { to: to.email, reader: readerOf(to), content: contentOf(kind, at, n) }
    const id = await enqueue(tx, sealing, { kind, userId: to.id, payload, expiresIn: 86_400 })
    written.push({ id, at, state, error })
  }
  await tx.execute(sql`
    update ${outbox} set state = each.state, last_error = each.error, next_at = each.at,
      attempts = case each.state when 'dead' then 8 else 1 end,
      payload = case when each.state in ('caught', 'dead') then payload end,
      created_at = each.at, done_at = each.at + interval '1 hour',
      expires_at = each.at + case each.state when 'dropped' then 1 else 24 end * interval '1 hour'
    from jsonb_to_recordset(${JSON.stringify(written)}::text::jsonb)
      as each(id uuid, at timestamptz, state text, error text)
    where ${outbox}.id = each.id`)
}

/** The fields of all kinds: each mail shows its own. No row has the token, so no link is valid. */
function contentOf(kind: OutboxRow['kind'], at: Date, n: number) {
  const expiresAt = new Date(at.getTime() + 24 * hour).toISOString()
  return {
    ...{ kind, at: at.toISOString(), ...whereFrom(n), expiresAt, until: expiresAt },
    // The ways to sign in that stayed, or the number of codes.
    left: kind === 'password-changed' ? ['passkey', 'recovery-code'] : 7,
    token: 'c2FtcGxlLXNhbXBsZS1zYW1wbGUtc2FtcGxlLXNhbXBs',
    ...{ name: 'Nightly report', lastFour: 'x7Qa' },
    ...(kind.startsWith('provider-') && { provider: 'Google' })
  } as StoredContent
}
