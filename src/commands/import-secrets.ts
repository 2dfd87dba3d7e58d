import { Secret } from 'otpauth'
import { foreignHash, unsafe } from '../domain/passwords/foreign-forms.ts'
import type { FirebaseParameters } from '../domain/passwords/foreign-forms.ts'
import { booleanOf, fieldsOf, inner, listOf, textOf } from './import-fields.ts'
import type { Fields } from './import-fields.ts'

// Secrets of users in the forms of other systems.

/** The secret in base32, if the codes are of the kind that the portal accepts. */
export function keycloakTotp(credential: Fields) {
  const data = inner(credential.credentialData)
  const accepted = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
  if (Object.entries(accepted).some(([name, value]) => data[name] !== value)) return undefined
  const secret = textOf(inner(credential.secretData).value)
  if (secret === undefined || data.secretEncoding === 'BASE32') return secret
  return Secret.fromUTF8(secret).base32
}

/**
 * Whether a line says that its user has a second factor: `totp` is that of the portal; `tfa_secret`
 * is the field of Directus, `totp_secret` of Clerk, `twoFactorEnabled` of better-auth,
 * `mfa_verifications` of Logto, and `credentials` of Keycloak.
 */
export const hasSecondFactor = (user: Fields) =>
  [user.totp, user.tfa_secret, user.totp_secret].some((each) => textOf(each) !== undefined) ||
  booleanOf(user.twoFactorEnabled) === true ||
  listOf(user.mfa_verifications).length > 0 ||
  listOf(user.credentials).some(({ type }) => type === 'otp' || type === 'webauthn')

/** The parameters are text in an object of its own, and of Argon2 in lists. */
export function keycloakHash(credential: Fields) {
  const secret = inner(credential.secretData)
  const { algorithm, hashIterations, additionalParameters } = inner(credential.credentialData)
  const [hash, salt] = [secret.value, secret.salt].map((value) =>
    Buffer.from(textOf(value) ?? '', 'base64')
  ) as [Buffer, Buffer]
  const iterations = String(hashIterations)
  if (algorithm === 'pbkdf2' || algorithm === 'pbkdf2-sha1') {
    throw unsafe('Uses PBKDF2 with SHA-1')
  }
  if (algorithm !== 'argon2') {
    const scheme = textOf(algorithm) ?? ''
    return foreignHash({ scheme, parameters: [iterations], salt, hash })
  }
  const more = fieldsOf(additionalParameters)
  const first = (name: string) => textOf([more[name]].flat()[0])
  const scheme = first('version') === '1.3' ? `argon2${first('type')}` : ''
  return foreignHash({
    scheme,
    parameters: [first('memory'), first('parallelism'), iterations],
    salt,
    hash
  })
}

const parameter =
  /\b(base64_signer_key|base64_salt_separator|rounds|mem_cost)["']? ?[:=] ?["']?([\w+/=-]{1,200})/g

/** Reads the parameters of a project, as the console of Firebase shows them. */
export function firebaseParameters(text: string): FirebaseParameters | undefined {
  const found = new Map([...text.matchAll(parameter)].map(([, name, value]) => [name, value]))
  const signerKey = found.get('base64_signer_key')
  const saltSeparator = found.get('base64_salt_separator')
  const [rounds, memoryCost] = [Number(found.get('rounds')), Number(found.get('mem_cost'))]
  if (signerKey === undefined || saltSeparator === undefined) return undefined
  if (!Number.isInteger(rounds) || !Number.isInteger(memoryCost)) return undefined
  return { signerKey, saltSeparator, rounds, memoryCost }
}
