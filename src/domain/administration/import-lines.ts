import { Secret } from 'otpauth'
import { uuidForm } from '../../../db/schema/columns.ts'
import type { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import type { SettingsDocument, SettingsPart, UserRow, users } from '../../../db/schema/users.ts'
import { idAt } from '../crypto.ts'
import { invalidFields } from '../errors.ts'
import { HashRefusal, storedForm } from '../passwords/foreign-forms.ts'
import { acceptDocument, requireSettings } from '../settings/settings.ts'
import type { Settings } from '../settings/settings.ts'
import { cleanName } from '../texts.ts'
import { requireEmail } from '../users/emails.ts'
import { cleanProfile } from '../users/profiles.ts'
import type { ProfileChanges } from '../users/profiles.ts'

/** A user in an import or export. */
interface TransferredUser {
  id?: string
  email: string
  name: string
  emailVerified?: boolean
  passwordHash?: string
  theme?: UserRow['theme']
  profile?: ProfileChanges
  status?: UserRow['status']
  roles?: string[]
  scopes?: { scope: string; roles: string[] }[]
  createdAt?: string
  providers?: { issuer: string; subject: string; email?: string }[]
  totp?: string
  settings?: SettingsDocument
  appSettings?: SettingsDocument
}

/** A user to be stored, with what belongs to it. */
export interface NewUser {
  user: typeof users.$inferInsert
  roles: string[]
  /** Roles in scopes, by their keys. */
  scoped: { scope: string; role: string }[]
  providers: Omit<typeof providerAccounts.$inferInsert, 'id' | 'userId'>[]
  settings: { part: SettingsPart; document: SettingsDocument }[]
  /** Secret of the one-time codes, not yet sealed. */
  totp?: Uint8Array
  /** The id in the other system, if the line has one. */
  oldId?: string
  /** The other system asks this user for a second factor, which is not among the rows. */
  losesSecondFactor?: boolean
  /** Facts of the other system that are not among the rows. */
  leftOut?: string[]
}

/** By default, a line of which something is not accepted is rejected. */
export interface ImportChoice {
  passwords?: boolean
  dropUnsafeHashes?: boolean
  /** False leaves accounts at providers out. */
  providers?: boolean
  /** Secrets of one-time codes are left out without it. */
  withTotp?: boolean
}

export interface ImportReferences {
  /** Ids of the roles that are held everywhere, by their keys. */
  roles: ReadonlyMap<string, string>
  /** Ids of the roles that are held in scopes. */
  scopedRoles?: ReadonlyMap<string, string>
  /** The key of the provider with this issuer. */
  providerOf(issuer: string): string | undefined
  /** Settings of the app; undefined without SETTINGS_SCHEMA. */
  settings?: Settings | undefined
}

/** In bytes. 80 bits are what many systems generate; RFC 4226, section 4, recommends 160. */
const totpLength = { min: 10, max: 64 } as const

/** Converts a line into rows. Throws a refusal that names the invalid fields. */
export function prepareUser(
  line: TransferredUser,
  known: ImportReferences,
  choice: ImportChoice = {}
): NewUser {
  const { id, profile, roles = [], scopes = [], createdAt, emailVerified, ...rest } = line
  const { providers = [], totp, settings, appSettings, passwordHash, ...user } = rest
  requireRoles(roles, '/roles', known.roles, known.scopedRoles, 'is held in scopes')
  for (const [n, { roles: held }] of scopes.entries()) {
    requireRoles(held, `/scopes/${n}/roles`, known.scopedRoles, known.roles, 'is held everywhere')
  }
  const now = new Date()
  const at = createdAt === undefined ? now : new Date(createdAt)
  if (at > now) {
    throw invalidFields({
      pointer: '/createdAt',
      code: 'out-of-range',
      message: 'Must not be in the future'
    })
  }
  const secret = totp !== undefined && choice.withTotp ? totpSecret(totp) : undefined
  const given = id?.toLowerCase()
  return {
    user: {
      ...user,
      passwordHash:
        passwordHash === undefined ? null : acceptHash(() => storedForm(passwordHash), choice),
      ...(profile && cleanProfile(profile, '/profile')),
      id: given !== undefined && uuidForm.test(given) && !isSpecial(given) ? given : idAt(at),
      createdAt: at,
      name: cleanName(user.name),
      emailNormalized: requireEmail(user.email),
      ...(emailVerified && { emailVerifiedAt: now }),
      ...(secret && { secondFactor: true }) // as in the other system
    },
    roles: [...new Set(['user', ...roles])],
    scoped: scopes.flatMap(({ scope, roles: held }) => held.map((role) => ({ scope, role }))),
    providers: choice.providers === false ? [] : providerRows(providers, known, at),
    settings: [
      ...acceptSettings('user', '/settings', settings, known),
      ...acceptSettings('app', '/appSettings', appSettings, known)
    ],
    ...(secret && { totp: secret }),
    ...(id !== undefined && { oldId: id })
  }
}

function requireRoles(
  keys: string[],
  pointer: string,
  wanted: ReadonlyMap<string, string> | undefined,
  others: ReadonlyMap<string, string> | undefined,
  held: string
) {
  const unknown = keys.findIndex((key) => !wanted?.has(key))
  if (unknown < 0) return
  const message = others?.has(keys[unknown] ?? '')
    ? `The role with this key ${held}`
    : 'There is no role with this key'
  throw invalidFields({ pointer: `${pointer}/${unknown}`, code: 'unknown-role', message })
}

/** Nil and Max UUID (RFC 9562, sections 5.9 and 5.10): no id of anything. */
const isSpecial = (id: string) => /^[0-]+$|^[f-]+$/.test(id)

function acceptSettings(
  part: SettingsPart,
  pointer: string,
  document: SettingsDocument | undefined,
  { settings }: ImportReferences
): NewUser['settings'] {
  if (document === undefined) return []
  return [{ part, document: acceptDocument(requireSettings(settings)[part], document, pointer) }]
}

function providerRows(
  providers: NonNullable<TransferredUser['providers']>,
  { providerOf }: ImportReferences,
  createdAt: Date
) {
  return providers.map(({ issuer, subject, email = null }, i) => {
    const provider = providerOf(issuer)
    if (provider !== undefined) return { provider, issuer, subject, email, createdAt }
    const message =
      'PROVIDERS has no provider with this issuer. Configure it first, or use --no-providers'
    throw invalidFields({ pointer: `/providers/${i}/issuer`, code: 'unknown-issuer', message })
  })
}

function totpSecret(text: string): Uint8Array {
  const typed = text
    .replaceAll(' ', '')
    .replace(/={1,6}$/, '')
    .toUpperCase()
  if (!/^[A-Z2-7]*$/.test(typed)) {
    throw invalidFields({
      pointer: '/totp',
      code: 'malformed',
      message: 'Must be a secret in base32'
    })
  }
  const { bytes } = typed === '' ? { bytes: new Uint8Array() } : Secret.fromBase32(typed)
  const { min, max } = totpLength
  if (bytes.length < min || bytes.length > max) {
    throw invalidFields({
      pointer: '/totp',
      code: 'out-of-range',
      message: `Must be a secret of ${min} to ${max} bytes`
    })
  }
  return bytes
}

/** The hash, or undefined for a user who is imported without one. Throws a refusal. */
export function acceptHash(
  read: () => string,
  { passwords = true, dropUnsafeHashes = false }: ImportChoice
): string | undefined {
  if (!passwords) return undefined
  try {
    return read()
  } catch (error) {
    if (!(error instanceof HashRefusal)) throw error
    const { code, message } = error
    if (dropUnsafeHashes && code === 'unsafe-hash') return undefined
    throw invalidFields({ pointer: '/passwordHash', code, message })
  }
}
