import type { IncomingMessage } from 'node:http'
import { normalizeAddress } from '../config/addresses.ts'
import { DomainError } from '../domain/domain-error.ts'
import { unauthenticated } from '../domain/errors.ts'
import type { KeyCache, KeyCaller } from '../domain/keys/key-cache.ts'
import { keyPrefix } from '../domain/keys/key-texts.ts'
import type { createKeyUses } from '../domain/keys/key-uses.ts'
import { networksOf } from '../domain/networks.ts'
import type { createProcessBudget } from '../domain/throttling/process-budget.ts'

/** An API key that came with a request and is valid, and the time of this state (ms). */
export type PresentedKey = KeyCaller & { now: number }

/** The parts of a request that authentication by key reads and sets. */
export interface KeyRequest {
  id: string
  ip: string
  raw: Pick<IncomingMessage, 'rawHeaders'>
  headers: { authorization?: string | undefined; 'user-agent'?: string | undefined }
  keyCaller: PresentedKey | null
}

interface Parts {
  keys: KeyCache
  uses: Pick<ReturnType<typeof createKeyUses>, 'mark'>
  /** Of well-formed but unknown keys from one address. */
  unknownKeys: Pick<ReturnType<typeof createProcessBudget>, 'charge' | 'refusal'>
}

const bearer = /^bearer +/i
const authorizationLength = 'authorization'.length

/**
 * The text after `Bearer` that begins like an API key, whether it is one or not. Other contents of
 * Authorization belong to the app. Of two headers one may have been added on the way, so they count
 * as none.
 */
export function bearerKey({ headers: { authorization }, raw }: KeyRequest): string | undefined {
  if (authorization === undefined) return undefined
  const text = authorization.replace(bearer, '')
  if (text === authorization || !text.startsWith(keyPrefix)) return undefined
  return isRepeated(raw.rawHeaders) ? undefined : text
}

function isRepeated(rawHeaders: string[]) {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === authorizationLength && name.toLowerCase() === 'authorization') count++
  }
  return count > 1
}

/** `Authorization` → key → owner and rights, from the current state. Calls back with a refusal. */
export function createKeyAuthentication({ keys, uses, unknownKeys }: Parts) {
  return (request: KeyRequest, done: (error?: Error) => void) => {
    const secret = bearerKey(request)
    const read = secret === undefined ? undefined : keys.read(secret)
    if (secret === undefined || !read) return done(unauthenticated())
    const address = normalizeAddress(request.ip)
    // A key that is in use is not affected by wrong ones from the same address.
    const refusal = read.isKnown ? undefined : unknownKeys.refusal(networksOf(address)[0])
    if (refusal) return done(refusal)
    keys.find(secret, read.token, (error, caller, now = 0) => {
      if (error instanceof Error) return done(error)
      if (!caller) return done(unknownKeys.charge(networksOf(address)[0]) ?? unauthenticated())
      if (!caller.isAllowedFrom(address)) return done(wrongNetwork(caller))
      request.keyCaller = { ...caller, now }
      uses.mark(caller, now, {
        ip: address,
        userAgent: request.headers['user-agent'],
        requestId: request.id
      })
      done()
    })
  }
}

const wrongNetwork = ({ key, owner }: KeyCaller) =>
  new DomainError('key-network', {
    details: { key: key.id, userId: owner.type === 'user' ? owner.id : undefined }
  })

/** A key cannot authenticate again, so there are no methods. */
export const cannotReauthenticate = () =>
  new DomainError('reauthentication-required', {
    detail: 'This needs a person: an API key cannot prove again who they are.'
  })

export const keyDenied = ({ key }: KeyCaller, permission?: string) =>
  new DomainError('permission-denied', { details: { permission, key: key.id } })

export function requireKeyCaller({ keyCaller }: Pick<KeyRequest, 'keyCaller'>): PresentedKey {
  if (!keyCaller) throw new Error('the route reads a key that its access policy does not require')
  return keyCaller
}
