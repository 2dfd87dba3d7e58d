import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { ofSeconds } from '../../../db/time.ts'
import type { Actor } from '../actor.ts'
import type { Sealing } from '../sealing.ts'
import { commitInTime } from '../time-left.ts'
import { hours, linkLifetimes } from '../tokens/lifetimes.ts'
import { maskEmail } from '../users/emails.ts'
import type { recipient } from '../users/users.ts'

/**
 * A row of the outbox holds a mail that can be sent, or a request, from which the worker
 * prepares a mail or decides to send none.
 */
export type Payload = PreparedMail | MailRequest

/** A mail that can be sent: each delivery of the row sends the same link. */
export interface PreparedMail {
  to: string
  reader: Reader
  content: StoredContent | OwnContent
}

export type MailRequest = RegistrationRequest | RecoveryRequest | UnfinishedSignIn

export interface RegistrationRequest {
  request: 'registration'
  registrationId: string
  origin: Origin
}

export interface RecoveryRequest {
  request: 'recovery'
  emailNormalized: string
  origin: Origin
}

/** The right password in a browser that is new to the account, where a second factor was due. */
export interface UnfinishedSignIn {
  request: 'unfinished-sign-in'
  userId: string
  credentialVersion: number
  /** ISO 8601, by the clock of the database. */
  begunAt: string
  origin: Origin
}

/** Where a request came from. */
type Origin = Pick<Actor, 'ip' | 'userAgent' | 'requestId'>

export const isRequest = (payload: Payload): payload is MailRequest => 'request' in payload

export interface NewMail {
  kind: OutboxRow['kind']
  /** The owner; undefined for an address that may have no account. */
  userId?: string | undefined
  /** Stored as sealed JSON. Addresses and tokens belong here only. */
  payload: Payload
  /** Seconds after which it expires. */
  expiresIn: number
  /** Seconds after which it is due. */
  dueIn?: number
}

/** Writes a mail in the transaction of its change, and returns its id: that of a registration. */
export async function enqueue(
  tx: Db,
  sealing: Sealing,
  { kind, userId, payload, expiresIn, dueIn = 0 }: NewMail
): Promise<string> {
  const id = 'registrationId' in payload ? payload.registrationId : uuid()
  await tx.insert(outbox).values({
    id,
    kind,
    userId,
    ...contentsOf(sealing, id, payload),
    nextAt: sql`now() + ${ofSeconds(dueIn)}`,
    expiresAt: sql`now() + ${ofSeconds(expiresIn)}`
  })
  return id
}

/** The columns of a row that depend on its payload. */
export const contentsOf = (sealing: Sealing, id: string, payload: Payload) => ({
  payload: sealPayload(sealing, id, payload),
  // A request has no recipient yet: the worker decides whether there is one.
  recipient: isRequest(payload) ? null : maskEmail(payload.to)
})

/** The id of its row is the context: in another row the payload does not open. */
export const sealPayload = (sealing: Sealing, id: string, payload: Payload) =>
  sealing.seal('mail', id, Buffer.from(JSON.stringify(payload)))

/** Undefined when no key opens it. */
export function openPayload(sealing: Sealing, id: string, payload: Uint8Array | null) {
  const plain = payload && sealing.open('mail', id, payload)
  return plain ? (JSON.parse(plain.toString()) as Payload) : undefined
}

/** A link with a one-time token. */
export interface Link {
  token: string
  /** ISO 8601. */
  expiresAt: string
}

/** The part of a mail's content that is a link. */
export const inMail = ({ token, expiresAt }: { token: string; expiresAt: Date }) => ({
  token,
  expiresAt: expiresAt.toISOString()
})

/** When something happened, and from where. Unknown facts are left out of the mail. */
export interface NoticeFacts {
  /** ISO 8601. */
  at: string
  ip?: string | null
  userAgent?: string | null
}

/** The method with which a session began. */
export type SignInMethod = 'password' | 'passkey' | 'provider'
/** By which its owner recognizes an API key. */
export interface KeyName {
  name: string
  lastFour: string
}

/** A mail of the outbox before it is written out: plain JSON. */
export type StoredContent =
  | ({
      kind: 'invitation' | 'recovery' | 'email-change' | 'email-verify' | 'factor-enrolment'
    } & Link)
  | ({ kind: 'scope-invitation'; inviter: string; role: string } & Link)
  /** `provider`: the key of the one that completes the registration, instead of the password. */
  | ({ kind: 'confirm'; provider?: string } & Link)
  /** The link restores the address. After a change by an operator there is none. */
  | ({ kind: 'email-changed' } & Partial<Link> & NoticeFacts)
  | ({
      kind:
        | 'account-deleted'
        | 'export-made'
        | 'second-factor-required'
        | 'second-factor-guessed'
        | 'recovery-codes-renewed'
        | 'sign-in-unfinished'
        | 'passkey-copied'
    } & NoticeFacts)
  /** With what somebody signed in, and the name of the provider. */
  | ({ kind: 'new-device'; method?: SignInMethod; provider?: string } & NoticeFacts)
  /** `keys`: how many API keys have lost the roles that require a second factor. */
  | ({ kind: 'second-factor-removed' | 'passkey-removed'; keys?: number } & NoticeFacts)
  /** The link restores the account until it expires, which is when the account is deleted. */
  | ({ kind: 'deletion-planned' } & Link & NoticeFacts)
  /** `last-admin`: the portal did not delete its last administrator. */
  | ({ kind: 'deletion-cancelled'; reason?: 'last-admin' } & NoticeFacts)
  /** `provider`: its name. */
  | ({ kind: 'provider-unlinked'; provider: string } & NoticeFacts)
  | ({ kind: 'provider-linked'; provider: string } & Partial<Link> & NoticeFacts)
  /**
   * The link removes the factor. There is none if adding it took two factors. `keys`: how many API
   * keys of the time before the first factor have ended.
   */
  | ({ kind: 'second-factor-added' | 'passkey-added'; keys?: number } & Partial<Link> & NoticeFacts)
  /**
   * Second factors that were removed with the old password, and those that are left; and the names
   * of providers at which accounts were unlinked, and still are linked. The link removes what the
   * password alone has added of late.
   */
  | ({
      kind: 'password-changed'
      removed?: FactorMethod[]
      unlinked?: string[]
      left?: FactorMethod[]
      linked?: string[]
      /** Number of API keys that go on after a signed-in user has changed it. */
      keys?: number
      /** After a link: how many API keys ended, those that go on, and a link that ends them. */
      keysEnded?: number
      keysLeft?: KeyName[]
      keysLink?: Link
    } & Partial<Link> &
      NoticeFacts)
  | ({ kind: 'key-created' } & KeyName & NoticeFacts)
  /** To administrators if it is the key of a service. */
  | ({ kind: 'key-expiring'; service?: string; expiresAt: string } & KeyName)
  /** Somebody registered with an address that is reserved for its former account. */
  | { kind: 'address-kept'; until: string }
  /** `left`: how many codes the user has now. */
  | ({ kind: 'recovery-code-used'; left: number } & NoticeFacts)
  | { kind: 'already-registered' }

/** A mail of the app: its kind there, and the values of its placeholders. */
export interface OwnContent {
  kind: 'app'
  own: string
  params: Readonly<Record<string, string>>
}

/** A test mail is sent at once. */
export type MailContent = StoredContent | OwnContent | { kind: 'test' }

/** The kind by which people know a mail. */
export const kindOf = (mail: MailContent) => (mail.kind === 'app' ? mail.own : mail.kind)

/** The reader of a mail. Every field may be unknown. */
export interface Reader {
  name?: string | null
  /** Language tag (BCP 47). */
  locale?: string | null
  /** Name in the IANA database. */
  timeZone?: string | null
}

/** The domain's access to mail. Production without a mail server has none. */
export interface MailService {
  sealing: Sealing
  /** False in development without a mail server, where mail is only shown. */
  delivers: boolean
  /**
   * `required`: an account exists once its address is confirmed. `optional`: users may confirm
   * theirs. `off`: users are not asked.
   */
  verification: 'off' | 'optional' | 'required'
  /** Whether owners are notified of sign-ins from new devices. */
  signInNotices: boolean
}

/** Enqueues a mail in the transaction of its change. By default it expires after 72 hours. */
export const enqueueMail = (
  tx: Db,
  { sealing }: MailService,
  mail: PreparedMail,
  { userId, expiresIn = hours(72) }: Partial<Pick<NewMail, 'userId' | 'expiresIn'>>
) =>
  // The column has kinds that only another version of the portal or the app knows.
  enqueue(tx, sealing, {
    kind: kindOf(mail.content) as OutboxRow['kind'],
    ...{ userId, payload: mail, expiresIn }
  })

/** The fields of a user that a mail needs. */
export type Recipient = Pick<UserRow, keyof typeof recipient>

type KnownReader = Pick<Recipient, 'name' | 'locale' | 'timeZone'>
export const readerOf = ({ name, locale, timeZone }: KnownReader): Reader => ({
  ...{ name, locale, timeZone }
})

/**
 * The reader of a mail to an address that is not confirmed. A stranger may have chosen the name: it
 * must not be in a mail to somebody else.
 */
export const withoutName = (recipient: KnownReader): Reader => readerOf({ ...recipient, name: '' })

/** Where a change came from, as its notice shows it. */
export const factsOf = ({ ip, userAgent }: Actor): NoticeFacts => ({
  at: new Date().toISOString(),
  ip: ip ?? null,
  userAgent: userAgent ?? null
})

/**
 * Reports a change to the owner of the account, at the address that they have now, if confirmed:
 * otherwise anybody could register with the address of somebody else and send them mail.
 */
export async function notify(
  tx: Db,
  mail: MailService | undefined,
  { id, email, emailVerifiedAt, ...reader }: Recipient,
  content: StoredContent | OwnContent
) {
  if (!mail || !emailVerifiedAt) return
  await enqueueMail(tx, mail, { to: email, reader: readerOf(reader), content }, { userId: id })
}

// Mail requested without signing in. The request writes the same row whether an account exists or
// not, so that neither its response nor its duration reveals it. The worker decides what to send.

type Asked = Omit<RegistrationRequest, 'origin'> | Omit<RecoveryRequest, 'origin'>

export function requestMail(tx: Db, { sealing }: MailService, actor: Actor, asked: Asked) {
  commitInTime(tx, actor)
  const { ip, userAgent, requestId } = actor
  return enqueue(tx, sealing, {
    kind: asked.request === 'registration' ? 'confirm' : 'recovery',
    payload: { ...asked, origin: { ip, userAgent, requestId } },
    expiresIn: linkLifetimes[asked.request]
  })
}
