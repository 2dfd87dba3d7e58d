import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import type { Actor, SignedInActor } from '../../src/domain/actor.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { claim } from '../../src/domain/outbox/claim.ts'
import { openPayload } from '../../src/domain/outbox/enqueue.ts'
import { settle } from '../../src/domain/outbox/settle.ts'
import { prepareMail } from '../../src/domain/mail/preparation.ts'
import type { ProviderClient } from '../../src/domain/providers/client.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { findSelf } from '../../src/domain/sign-in/confirmed-identity.ts'
import type { Services } from '../../src/domain/sign-in/services.ts'
import { tokenHashOf } from '../support/sign-in.ts'

// The owner of a mailbox and a stranger, what each of them has, and what must be true of them.

/** `mailbox` speaks for the mailboxes of its accounts. `hearsay` believes what it is told. */
export const kinds = ['mailbox', 'hearsay'] as const
export type Kind = (typeof kinds)[number]

const provider = (key: Kind, trustsEmail: Provider['trustsEmail']): Provider => ({
  key,
  kind: 'oidc',
  name: key,
  issuer: `https://${key}.example`,
  clientId: 'portal',
  credential: { secret: 'secret' },
  trustsEmail,
  domains: [],
  required: false,
  listed: true,
  creates: 'registration',
  assurance: { amr: [], acr: [] }
})
export const providers = [provider('mailbox', 'claim'), provider('hearsay', 'never')]

/** Stands for the network: what comes back as the code are the claims of the verified ID token. */
export const client: ProviderClient = {
  authorizationUrl: async () => 'https://provider.example',
  async identify(_, { code = '' }, __, begin) {
    await begin()
    return JSON.parse(code) as Record<string, unknown>
  },
  verifyLogout: () => Promise.reject(new Error('nobody logs out')),
  examine: () => Promise.reject(new Error('nobody asks'))
}

export interface Person {
  name: 'owner' | 'stranger'
  id: string
  passwords: string[]
  sessions: SignedInActor[]
  /** Secrets of authenticator apps. */
  apps: string[]
  recoveryCodes: string[]
}

export const person = (name: Person['name']): Person => ({
  name,
  id: randomUUID(),
  passwords: [],
  sessions: [],
  apps: [],
  recoveryCodes: []
})

export interface World {
  services: Services
  inbox: ReturnType<typeof openInbox>
  /** Of the owner's mailbox. */
  address: string
  owner: Person
  stranger: Person
  /** Whether the owner has proved to the portal that the mailbox is theirs. */
  proved: boolean
  actor: Actor
  /** How often each step succeeded. */
  done: Map<string, number>
}

/** The mailboxes of an application. Mail is delivered when somebody looks. */
export function openInbox({ db, sealing }: Pick<Services, 'db' | 'sealing'>) {
  const letters = new Map<string, { kind: string; token: string }[]>()
  let delivery = Promise.resolve()
  async function deliver() {
    for (const row of await claim(db, 1000)) {
      const payload = openPayload(sealing, row.id, row.payload)
      const mail = payload && (await prepareMail(db, sealing, { ...row, payload }))
      await settle(db, row, { outcome: mail ? 'sent' : 'dropped' })
      const token = mail && 'token' in mail.content ? mail.content.token : undefined
      if (!mail || token === undefined) continue
      letters.set(mail.to, [...(letters.get(mail.to) ?? []), { kind: mail.content.kind, token }])
    }
  }
  return {
    /** The tokens of the links of this kind, the oldest first. */
    async tokens(address: string, kind: string) {
      delivery = delivery.then(deliver)
      await delivery
      return (letters.get(address) ?? [])
        .filter((letter) => letter.kind === kind)
        .map(({ token }) => token)
    }
  }
}

/** The result, or undefined when the portal refuses. Throws when it fails, or asks to wait. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const isRefusal = error instanceof DomainError && error.statusCode < 500
    if (!isRefusal || error.code === 'rate-limited' || error.code === 'flow-expired') throw error
    return undefined
  }
}

export function count({ done }: World, { name }: Person, step: string) {
  const key = `${name}: ${step}`
  done.set(key, (done.get(key) ?? 0) + 1)
}

/** The account that has the address now. */
export async function findAccount({ services: { db }, address }: World) {
  const [account] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.emailNormalized, address)))
  return account
}

/** The newest session of this person that has not ended. */
export async function liveSession({ services: { db } }: World, { sessions }: Person) {
  for (const self of sessions.slice(-3).toReversed()) {
    if (await attempt(() => findSelf(db, self))) return self
  }
}

/** Keeps the session that a person has begun. */
export function keepSession(
  { actor }: World,
  { sessions }: Person,
  { id, email }: { id: string; email: string },
  begun: { session: { id: string }; secret: string }
) {
  const tokenHash = tokenHashOf(begun)
  const self = { ...actor, type: 'user', id, label: email, sessionId: begun.session.id, tokenHash }
  sessions.push(self as SignedInActor)
}

/** A session has a new secret. */
export function renew(self: SignedInActor, renewed: { secret: string }) {
  self.tokenHash = tokenHashOf(renewed)
}
