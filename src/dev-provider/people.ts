/** Somebody with an account at a provider for development or tests. */
export interface Person {
  /** The `sub` of tokens. */
  id: string
  /** The page describes this person so. */
  about: string
  /** `sub` is `id`. */
  claims: { name?: string; email?: string; email_verified?: boolean; [claim: string]: unknown }
  /** Authentication methods (RFC 8176). */
  amr: string[]
  /** Authentication context. */
  acr?: string
}

/** The people of the provider for development. None of them exists. */
export const people: readonly Person[] = [
  {
    id: 'nora',
    about: 'the address is confirmed',
    claims: { name: 'Nora Field', email: 'nora.field@example.com', email_verified: true },
    amr: ['pwd']
  },
  {
    id: 'tom',
    about: 'the address is not confirmed',
    claims: { name: 'Tom Rivers', email: 'tom.rivers@example.com', email_verified: false },
    amr: ['pwd']
  },
  {
    id: 'lea',
    about: 'signs in with two factors',
    claims: { name: 'Lea Stone', email: 'lea.stone@example.com', email_verified: true },
    amr: ['pwd', 'otp', 'mfa']
  }
]
