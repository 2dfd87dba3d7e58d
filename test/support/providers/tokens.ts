import { importJWK, SignJWT } from 'jose'
import { newKey } from '../../../src/dev-provider/provider.ts'
import type { SigningKey } from '../../../src/dev-provider/provider.ts'

export interface Token {
  header: Record<string, unknown>
  claims: Record<string, unknown>
}

/** Reads a JWT without verifying it. */
export function readToken(jwt: string): Token {
  const [header = '', claims = ''] = jwt.split('.')
  const part = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  return { header: part(header), claims: part(claims) }
}

/** Signs a token as its header says: with `alg: none`, not at all. */
export async function signToken({ header, claims }: Token, key: SigningKey): Promise<string> {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  if (header.alg === 'none') return `${encode(header)}.${encode(claims)}.`
  const alg = String(header.alg ?? 'ES256')
  return new SignJWT(claims)
    .setProtectedHeader({ ...header, alg })
    .sign(await importJWK(key as Parameters<typeof importJWK>[0], alg))
}

/** Signs a token with another key that has the same `kid`. */
export const forgeToken = async (token: Token) => signToken(token, await newKey())

/** Everybody may know this part of a key. */
export const publicPart = ({ d: _, ...shown }: SigningKey) => shown
