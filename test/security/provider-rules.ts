import type { SignedInActor } from '../../src/domain/actor.ts'
import { findSelf } from '../../src/domain/sign-in/confirmed-identity.ts'
import type { NewSession } from '../../src/domain/sign-in/start-session.ts'
import { attempt, findAccount, keepSession } from './provider-world.ts'
import type { Kind, Person, World } from './provider-world.ts'

// What must be true, whatever the two have done. Everything here throws when it is not.

interface ByAddress {
  kind: Kind
  /** Whether the provider account led here before. */
  isKnown: boolean
  /** The account that had the address before. */
  before: { id: string } | undefined
}

/** Somebody is in an account: by what they had attached, or else because of its address. */
export function entered(world: World, who: Person, begun: NewSession, way?: ByAddress) {
  const { address, services } = world
  const { user } = begun
  keepSession(world, who, user, begun)
  if (user.email !== address) return
  if (way && !way.isKnown) {
    const { kind, before } = way
    const isProof = kind === 'mailbox' && who.name === 'owner'
    if (before && !(isProof && world.proved)) {
      throw new Error(`${who.name} enters an account whose mailbox was not proved, with ${kind}`)
    }
    if (!isProof && services.mail) {
      throw new Error(`${who.name} gets an account with an address that ${kind} only claims`)
    }
    if (isProof) world.proved = true
  }
  if (services.mail?.verification === 'required' && !world.proved) {
    throw new Error(`${who.name} enters an account whose mailbox nobody has proved`)
  }
}

/** Somebody has attached a way in. Where mail is delivered, only to a mailbox that was proved. */
export async function linked(world: World, who: Person, { id }: SignedInActor) {
  const account = await findAccount(world)
  if (account?.id === id && world.services.mail && !world.proved) {
    throw new Error(`${who.name} attaches a way in before the mailbox was proved`)
  }
}

/** Once the owner has proved the mailbox, the stranger is out. */
export async function strangerIsOut(world: World) {
  if (!world.proved) return
  const { services, stranger } = world
  const account = await findAccount(world)
  for (const self of stranger.sessions) {
    if (self.id === account?.id && (await attempt(() => findSelf(services.db, self)))) {
      throw new Error('the stranger has a session')
    }
  }
}
