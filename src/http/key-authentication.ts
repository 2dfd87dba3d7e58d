import type { IncomingMessage } from 'node:http'
import { normalizeAddress } from '../config/addresses.ts'
import { DomainError } from '../domain/errors.ts'
import type { KeyCache, KeyCaller, RejectedKey } from '../domain/keys/key-cache.ts'
import { keyPrefix } from '../domain/keys/key-form.ts'
import type { createKeyUses } from '../domain/keys/key-uses.ts'
import { networksOf } from '../domain/networks.ts'
import type { createProcessBudget } from '../domain/throttling/budgets.ts'

/** An API key that came with a request and is valid. */
export interface PresentedKey {
  /** The kept one, which other requests share. */
  caller: KeyCaller
  /** The time of this state by the clock of the database, in milliseconds. */
  now: number
}

/** The parts of a request that authentication by key reads and sets. */
export interface KeyRequest {
  id: string
  ip: string
  raw: Pick<IncomingMessage, 'rawHeaders'>
  headers: { authorization?: string | undefined; 'user-agent'?: string | undefined }
  presentedKey: PresentedKey | null
}

interface Parts<R extends KeyRequest> {
  keys: KeyCache
  uses: Pick<ReturnType<typeof createKeyUses>, 'mark'>
  /** Limits well-formed but unknown keys from one address. */
  unknownKeys: Pick<ReturnType<typeof createProcessBudget>, 'charge' | 'refusal'>
  /** Called when a key that has ended is used. */
  onRejected(request: R, key: RejectedKey): void
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

/**
 * `Authorization` → key → owner and rights, from the current state. Calls back with a refusal. The
 * address of the client is only parsed where something depends on it: each request would pay.
 */
export function createKeyAuthentication<R extends KeyRequest>({
  keys,
  uses,
  unknownKeys,
  onRejected
}: Parts<R>) {
  /** @param secret what `bearerKey` returns for this request */
  return (
    request: R,
    done: (error?: Error) => void,
    secret: string | undefined = bearerKey(request)
  ) => {
    const token = secret === undefined ? undefined : keys.read(secret)
    if (secret === undefined) return done(new DomainError('unauthenticated'))
    if (!token) return done(keyRefused())
    // A key that is in use is not affected by wrong ones from the same address.
    const refusal = token.isKnown ? undefined : unknownKeys.refusal(networkOf(request))
    if (refusal) return done(refusal)
    keys.find(secret, token, (error, caller, now = 0) => {
      if (error instanceof Error) return done(error)
      if (!caller) {
        // A job that goes on with an expired key must not keep others of its network out.
        if (token.rejected) onRejected(request, token.rejected)
        const tooMany = token.isKnown ? undefined : unknownKeys.charge(networkOf(request))
        return done(tooMany ?? keyRefused())
      }
      if (caller.isAllowedFrom?.(normalizeAddress(request.ip)) === false) {
        return done(wrongNetwork(caller))
      }
      request.presentedKey = { caller, now }
      uses.mark(caller, now, request.ip, () => originOf(request))
      done()
    })
  }
}

const networkOf = ({ ip }: KeyRequest) => networksOf(normalizeAddress(ip))[0]

const originOf = ({ ip, headers, id }: KeyRequest) => ({
  ip: normalizeAddress(ip),
  userAgent: headers['user-agent'],
  requestId: id
})

/** Nobody signs in again with a key. */
const keyRefused = () =>
  new DomainError('unauthenticated', {
    detail:
      'This API key does not work: it is unknown, has expired or was revoked. Use another one.'
  })

const wrongNetwork = ({ key, owner }: KeyCaller) =>
  new DomainError('key-network', {
    details: { key: key.id, userId: owner.type === 'user' ? owner.id : undefined }
  })

export const keyDenied = ({ key }: KeyCaller, permission?: string) =>
  new DomainError('permission-denied', { details: { permission, key: key.id } })

export function requireKeyCaller({ presentedKey }: Pick<KeyRequest, 'presentedKey'>): KeyCaller {
  if (!presentedKey) {
    throw new Error('the route reads a key that its access policy does not require')
  }
  return presentedKey.caller
}
