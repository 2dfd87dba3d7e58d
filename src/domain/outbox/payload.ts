import type { Actor } from '../actor.ts'
import type { Reader, StoredContent } from './contents.ts'

/**
 * What a row of the outbox holds: a mail that can be sent, or a request, from which the worker
 * prepares a mail or decides to send none.
 */
export type Payload = PreparedMail | MailRequest

/** A mail that can be sent: each delivery of the row sends the same link. */
export interface PreparedMail {
  to: string
  reader: Reader
  content: StoredContent
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
export type Origin = Pick<Actor, 'ip' | 'userAgent' | 'requestId'>

export const isRequest = (payload: Payload): payload is MailRequest => 'request' in payload
