import { Secret } from 'otpauth'
import { foreignHash, unsafe } from '../domain/passwords/foreign-forms.ts'
import type { FirebaseParameters } from '../domain/passwords/foreign-forms.ts'
import { objectOf, textOf } from './import-fields.ts'

type Fields = Record<string, unknown>

// Secrets of users in the forms of other systems.

/** The secret in base32, if the codes are of the kind that the portal accepts. */
export function keycloakTotp(credential: Fields) {
  const data = objectOf(credential.credentialData)
  const accepted = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
  if (Object.entries(accepted).some(([name, value]) => data[name] !== value)) return undefined
  const secret = textOf(objectOf(credential.secretData).value)
  if (secret === undefined || data.secretEncoding === 'BASE32') return secret
  return Secret.fromUTF8(secret).base32
}

/** The parameters are text in an object of its own, and of Argon2 in lists. */
export function keycloakHash(credential: Fields) {
  const secret = objectOf(credential.secretData)
  const { algorithm, hashIterations, additionalParameters } = objectOf(credential.credentialData)
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
  const more = objectOf(additionalParameters)
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
