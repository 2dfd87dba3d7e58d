import { uuidForm } from '../../../db/schema/columns.ts'
import { setBounded } from '../lru.ts'
import { hashSecret } from './sessions.ts'
import type { SessionToken } from './sessions.ts'

export const tokenType = 'portal-session+jwt'
export const audience = 'portal-api'
const maxLength = 1400
/**
 * Three parts and nothing else: libraries tolerate whitespace (RFC 8725bis, "Check JWT Format
 * Type").
 */
const form = /^[A-Za-z0-9_-]{1,256}\.[A-Za-z0-9_-]{1,1024}\.[A-Za-z0-9_-]{43}$/
/** Maximum number of verified tokens to remember; beyond it the oldest one is forgotten. */
const capacity = 65_536

interface Claims {
  iss: string
  aud: string
  sub: string
  jti: string
  /** Seconds, as `exp`. */
  iat: number
  exp: number
}

interface TokenOptions {
  issuer: string
  /** The names of the keys. */
  kids: readonly string[]
  /**
   * From `iat` to `exp`: the most that any configuration allows, because another instance may have
   * another configuration in a rolling restart. The row of a session says when it ends.
   */
  longestSeconds: number
  sign(claims: Claims): string
  /** The header, not verified. May throw. */
  headerOf(token: string): unknown
  /** The claims, when the key of this name signed them. Throws when it did not. */
  verify(kid: string, token: string): unknown
}

/** Session tokens. A token identifies a session; the database decides whether it is active. */
export function createSessionTokens({
  issuer,
  kids,
  longestSeconds,
  sign,
  headerOf,
  verify
}: TokenOptions) {
  const check = (token: string): SessionToken | undefined => {
    if (token.length > maxLength || !form.test(token)) return undefined
    try {
      const kid = kidOf(headerOf(token))
      if (typeof kid !== 'string' || !kids.includes(kid)) return undefined
      const claims = verify(kid, token)
      if (!isClaims(claims) || claims.iss !== issuer) return undefined
      if (claims.exp - claims.iat > longestSeconds) return undefined
      return {
        userId: claims.sub,
        tokenHash: Buffer.from(hashSecret(claims.jti)).toString('hex')
      }
    } catch {
      return undefined // libraries throw various errors for a token that is not valid
    }
  }
  /**
   * By the exact text that was verified: a token that differs in one letter is another token, even
   * if its signature is equivalent.
   */
  const verified = new Map<string, SessionToken>()

  const verifyOnce = (token: string): SessionToken | undefined => {
    const known = verified.get(token)
    if (known) return known
    const session = check(token)
    // Copies the text, because a slice would keep the whole header in memory.
    if (session) setBounded(verified, Buffer.from(token).toString(), session, capacity)
    return session
  }

  return {
    sign: (
      { userId, createdAt, expiresAt }: { userId: string; createdAt: Date; expiresAt: Date },
      secret: string
    ) =>
      sign({
        iss: issuer,
        aud: audience,
        sub: userId,
        jti: secret,
        iat: epochSeconds(createdAt),
        exp: epochSeconds(expiresAt)
      }),
    /**
     * Undefined for any text that is not exactly a token of this portal. Expiry is checked by the
     * database's clock, not here.
     */
    verify: verifyOnce,
    /** Drops invalid tokens. The sessions of the others may have ended. */
    verifyAll: (tokens: string[]): SessionToken[] =>
      tokens.flatMap((token) => verifyOnce(token) ?? [])
  }
}

export type SessionTokens = ReturnType<typeof createSessionTokens>

const kidOf = (header: unknown) =>
  typeof header === 'object' && header !== null && 'kid' in header ? header.kid : undefined

/** Exactly these claims, in exactly the form that the portal writes. */
function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false
  const { iss, aud, sub, jti, iat, exp, ...others } = value as Record<string, unknown>
  return (
    typeof iss === 'string' &&
    aud === audience &&
    isText(sub, uuidForm) &&
    isText(jti, /^[A-Za-z0-9_-]{43}$/) &&
    isTime(iat) &&
    isTime(exp) &&
    Object.keys(others).length === 0
  )
}

const isText = (value: unknown, form: RegExp) => typeof value === 'string' && form.test(value)
const isTime = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
const epochSeconds = (date: Date) => Math.floor(date.getTime() / 1000)
