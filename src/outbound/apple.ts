import type { AppleKey } from '../domain/providers/provider.ts'

/** Seconds. Apple allows six months. */
const lifetime = 300

/** The client secret of Apple is a token that the client signs itself. */
export async function appleSecret(
  { teamId, keyId, privateKey }: AppleKey,
  { clientId, audience }: { clientId: string; audience: string }
): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose')
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt()
    .setExpirationTime(`${lifetime}s`)
    .setAudience(audience)
    .setSubject(clientId)
    .sign(await importPKCS8(privateKey, 'ES256'))
}
