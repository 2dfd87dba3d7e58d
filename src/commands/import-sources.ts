import { firebaseHash, foreignHash, unsafe } from '../domain/passwords/foreign-forms.ts'
import type { FirebaseParameters } from '../domain/passwords/foreign-forms.ts'

// What other systems export, one user per line: docs/moving.md says how to ask for it.

interface SourceOptions {
  firebase: FirebaseParameters | undefined
  accept(read: () => string): string | undefined
}
type Fields = Record<string, unknown>
/** Returns a line as docs/cli.md describes it, whose checks come later. */
type Source = (user: Fields, options: SourceOptions) => Fields

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map((each) => fieldsOf(each)) : []
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
/** JSON inside of JSON. */
const inner = (value: unknown): Fields => {
  try {
    return fieldsOf(JSON.parse(textOf(value) ?? '{}'))
  } catch {
    return {}
  }
}
const isTrue = (value: unknown) => value === true || value === 't' || value === 'true'
const timeOf = (value: unknown) => {
  const at = new Date(typeof value === 'number' ? value : (textOf(value) ?? Number.NaN))
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
const nameOf = (...parts: unknown[]) =>
  textOf(
    parts
      .map((part) => textOf(part)?.trim() ?? '')
      .join(' ')
      .trim()
  )

function line({ email, name, ...rest }: Fields): Fields {
  const address = textOf(email)
  // Many systems do not ask for a name.
  const fields = { email, name: textOf(name) ?? address?.split('@')[0], ...rest }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

export const sources: Readonly<Record<string, Source>> = {
  'better-auth': ({ email, name, emailVerified, createdAt, accounts }) =>
    line({
      email,
      name,
      emailVerified: isTrue(emailVerified),
      createdAt: timeOf(createdAt),
      passwordHash: textOf(
        listOf(accounts).find(({ providerId }) => providerId === 'credential')?.password
      )
    }),

  supabase: (user) => {
    const details = fieldsOf(user.raw_user_meta_data)
    return line({
      email: user.email,
      name: details.full_name ?? details.name,
      emailVerified: textOf(user.email_confirmed_at) !== undefined,
      createdAt: timeOf(user.created_at),
      passwordHash: textOf(user.encrypted_password)
    })
  },

  firebase: (user, { firebase, accept }) => {
    const [passwordHash, salt] = [textOf(user.passwordHash), textOf(user.salt)]
    const hasHash = passwordHash !== undefined && salt !== undefined
    return line({
      email: user.email,
      name: user.displayName,
      emailVerified: isTrue(user.emailVerified),
      status: user.disabled === true ? 'deactivated' : undefined,
      createdAt: timeOf(Number(user.createdAt)),
      passwordHash:
        hasHash && firebase
          ? accept(() => firebaseHash({ passwordHash, salt }, firebase))
          : undefined
    })
  },

  keycloak: (user, { accept }) => {
    const credential = listOf(user.credentials).find(({ type }) => type === 'password')
    return line({
      email: user.email,
      name: nameOf(user.firstName, user.lastName),
      emailVerified: isTrue(user.emailVerified),
      status: user.enabled === false ? 'deactivated' : undefined,
      createdAt: timeOf(user.createdTimestamp),
      passwordHash: credential && accept(() => keycloakHash(credential))
    })
  },

  auth0: (user) =>
    line({
      email: user.email,
      name: user.name,
      emailVerified: isTrue(user.email_verified),
      createdAt: timeOf(user.created_at),
      passwordHash: textOf(user.passwordHash)
    }),

  clerk: (user) =>
    line({
      email: user.primary_email_address,
      name: nameOf(user.first_name, user.last_name),
      emailVerified: textOf(user.verified_email_addresses)?.includes(
        textOf(user.primary_email_address) ?? ' '
      ),
      passwordHash: textOf(user.password_digest)
    }),

  logto: (user) =>
    line({
      email: user.primary_email,
      name: user.name,
      // Logto stores an address only after it was confirmed.
      emailVerified: true,
      status: user.is_suspended === true ? 'deactivated' : undefined,
      createdAt: timeOf(user.created_at),
      passwordHash: textOf(user.password_encrypted)
    }),

  directus: (user) =>
    line({
      email: user.email,
      name: nameOf(user.first_name, user.last_name),
      status: user.status === 'active' ? undefined : 'deactivated',
      passwordHash: textOf(user.password)
    }),

  django: ({ fields }) => {
    const user = fieldsOf(fields)
    const password = textOf(user.password)
    return line({
      email: user.email,
      name: nameOf(user.first_name, user.last_name),
      status: user.is_active === false ? 'deactivated' : undefined,
      createdAt: timeOf(user.date_joined),
      // Django writes "!" for a password that cannot be used.
      passwordHash: password?.startsWith('!') ? undefined : password?.replace(/^bcrypt[$]/, '')
    })
  }
}

/** The parameters are text in an object of its own, and of Argon2 in lists. */
function keycloakHash(credential: Fields) {
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
