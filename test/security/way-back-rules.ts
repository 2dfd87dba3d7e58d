import { liveSession, sessionOf } from './way-back-people.ts'
import type { Person, Session, World } from './way-back-people.ts'
import type { Kind } from './way-back-portal.ts'

// These rules must hold, whatever the two have done. Each function throws when one does not.

/** After a new password, or the end of all other sessions, the owner is alone in their session. */
export async function ownerIsAlone(world: World, who: Person) {
  const { owner, other } = world
  const own = who === owner ? await liveSession(world, owner) : undefined
  if (!own) return
  for (const cookie of other.cookies.filter((each) => each !== own.cookie)) {
    const session = await sessionOf(world, cookie)
    if (session?.user.id === own.user.id) throw new Error(`${other.name} is still inside`)
  }
}

/** With a link that sets a new password, all sessions of the account end. */
export async function accountIsEmpty(world: World, who: Person) {
  const { owner, other, address } = world
  // An owner who has moved may have left the address to somebody else.
  if (who !== owner || owner.mailboxes.length > 1) return
  for (const cookie of other.cookies) {
    const session = await sessionOf(world, cookie)
    if (session?.user.email === address) throw new Error(`${other.name} is still inside`)
  }
}

/** With an account whose deletion was cancelled, no session of before comes back. */
export async function nothingCameBack(world: World) {
  const { planned } = world
  if (!planned) return
  delete world.planned
  for (const cookie of planned.cookies) {
    const session = await sessionOf(world, cookie)
    if (session?.user.id === planned.id) throw new Error('a session came back with the account')
  }
}

/** Once the owner has proved the mailbox, a stranger is not in the account of this address. */
export async function strangerIsOut(world: World) {
  const { other, confirmedFirst, address } = world
  if (other.name !== 'stranger' || confirmedFirst !== 'owner') return
  for (const cookie of other.cookies.slice(-3)) {
    const session = await sessionOf(world, cookie)
    if (session?.user.email === address) throw new Error('the stranger has a session')
  }
}

/** Where addresses must be confirmed, nobody begins a session before. */
export function isProved({ app: { context } }: World, who: Person, user: Session['user']) {
  if (context.mail?.verification === 'required' && !user.emailVerified) {
    throw new Error(`${who.name} enters an account whose mailbox nobody has proved`)
  }
}

interface ByAddress {
  kind: Kind
  /** Whether the provider account led here before. */
  isKnown: boolean
  /** The account that had the address before. */
  before: { isConfirmed: Date | null } | undefined
}

/** Somebody is in an account with a provider: by what was linked, or because of its address. */
export function entered(
  world: World,
  who: Person,
  { user }: Session,
  { kind, isKnown, before }: ByAddress
) {
  isProved(world, who, user)
  const isRequired = world.portal.domains.some((each) => user.email.endsWith(`@${each}`))
  if (isRequired && user.emailVerified && (kind !== 'staff' || who !== world.owner)) {
    throw new Error(`${who.name} enters with ${kind} an account of a domain that requires staff`)
  }
  if (user.email !== world.address || isKnown) return
  const isProof = (kind === 'mailbox' || isRequired) && who === world.owner
  if (!isProof && world.app.context.mail) {
    throw new Error(`${who.name} gets an account with an address that ${kind} only claims`)
  }
  if (before && !before.isConfirmed && kind !== 'staff') {
    throw new Error(`${who.name} enters an account whose mailbox was not proved, with ${kind}`)
  }
  if (isProof) world.confirmedFirst ??= who.name
}
