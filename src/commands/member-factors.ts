import type { Db } from '../../db/engine.ts'
import { findMemberFactors } from '../domain/factors/list.ts'
import { plain, say } from './output.ts'

/** Longer lists are cut: nobody reads them. */
const most = 20

/**
 * Names the second factors that give a role that requires one to its members, or to one of them. A
 * thief with the password of a member may have set one up while the role did not require it.
 */
export async function sayMemberFactors(
  db: Db,
  { role, userId }: { role: string; userId?: string }
) {
  const found = await findMemberFactors(db, { role, userId, limit: most + 1 })
  if (found.length === 0) return
  say('With these second factors, members can use the role. Ask the members about recent ones:')
  for (const { email, name, since } of found.slice(0, most)) {
    const factor = name === null ? 'authenticator app' : `passkey "${plain(name)}"`
    say(`  ${plain(email)}: ${factor}, set up ${ageOf(since)}`)
  }
  if (found.length > most) say(`  … and older ones: these are the ${most} newest.`)
}

function ageOf(since: Date) {
  const days = Math.floor((Date.now() - since.getTime()) / 86_400_000)
  const day = since.toISOString().slice(0, 10)
  return days < 1 ? `in the last 24 hours (${day})` : `${days} days ago (${day})`
}
