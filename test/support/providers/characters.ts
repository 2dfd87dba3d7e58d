import { CompactSign, importJWK } from 'jose'
import type { TestProvider } from './oidc.ts'
import type { Token } from './tokens.ts'

// Providers of a character of their own: each makes the claims that it sends out of those of a
// person. The first three are honest, the last two are not.

type Claims = Token['claims']
/** The claims of a provider about a person. A text is sent as it is, as the JSON of the claims. */
export type Character = (claims: Claims) => Claims | string

/** Lets a provider speak like this from now on, in ID tokens and UserInfo. */
export function speakAs(provider: TestProvider, character: Character) {
  provider.alter.userInfo = (claims) => {
    const said = character(claims)
    return typeof said === 'string' ? claims : said
  }
  provider.alter.idToken = async ({ header, claims }) => {
    const said = character(claims)
    if (typeof said !== 'string') return { header, claims: said }
    const key = await importJWK(provider.key as Parameters<typeof importJWK>[0], 'ES256')
    return new CompactSign(Buffer.from(said))
      .setProtectedHeader({ alg: 'ES256', kid: provider.key.kid })
      .sign(key)
  }
}

/** A directory that was built anew so often: its people have other subjects than before. */
export const rebuilt =
  (times: number): Character =>
  (claims) => ({ ...claims, sub: `${String(claims.sub)}-${times}` })

/** A directory that gives each address to one person after another. Those without one have none. */
export function reassigning(holders: Record<string, string>) {
  const says: Character = ({ email: _, email_verified: __, ...claims }) => {
    const [email] = Object.entries(holders).find(([, holder]) => holder === claims.sub) ?? []
    return { ...claims, ...(email !== undefined && { email, email_verified: true }) }
  }
  return { says, give: (email: string, person: string) => (holders[email] = person) }
}

/** Numbers without which a library of OpenID Connect accepts no ID token. */
const numbers = ['exp', 'iat']

/** A provider that sends every value as a text, but for those that nobody would accept so. */
export const inTexts =
  (more: Claims = {}): Character =>
  ({ auth_time: _, ...claims }) =>
    Object.fromEntries(
      Object.entries({ ...claims, ...more }).map(([name, value]) => [
        name,
        typeof value === 'string' || value === undefined || numbers.includes(name)
          ? value
          : JSON.stringify(value)
      ])
    )

/** A hostile provider whose tokens are in order, and say whatever serves it. */
export const lying =
  (lies: Claims): Character =>
  (claims) => ({ ...claims, ...lies })

/** A hostile provider that looks for what breaks those who read it: this JSON is in the claims. */
export const malformed =
  (members: string): Character =>
  (claims) =>
    `${JSON.stringify(claims).slice(0, -1)},${members}}`
