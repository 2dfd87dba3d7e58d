import { firebaseHash } from '../domain/passwords/foreign-forms.ts'
import type { FirebaseParameters } from '../domain/passwords/foreign-forms.ts'
import {
  booleanOf,
  fieldsOf,
  line,
  listOf,
  nameOf,
  providersOf,
  textOf,
  timeOf
} from './import-fields.ts'
import type { Fields } from './import-fields.ts'
import { keycloakHash, keycloakTotp } from './import-secrets.ts'

// What other systems export, one user per line: docs/do/moving.md says how to ask for it.

interface SourceOptions {
  firebase: FirebaseParameters | undefined
  accept(read: () => string): string | undefined
}
/** Returns a line as docs/lookup/cli.md describes it, whose checks come later. */
type Source = (user: Fields, options: SourceOptions) => Fields

export const sources: Readonly<Record<string, Source>> = {
  'better-auth': ({ id, email, name, emailVerified, createdAt, accounts }) =>
    line({
      id,
      providers: providersOf(
        listOf(accounts).map(({ providerId, accountId }) => ({
          provider: providerId,
          subject: accountId
        }))
      ),
      email,
      name,
      emailVerified: booleanOf(emailVerified),
      createdAt: timeOf(createdAt),
      passwordHash: textOf(
        listOf(accounts).find(({ providerId }) => providerId === 'credential')?.password
      )
    }),

  supabase: (user) => {
    const details = fieldsOf(user.raw_user_meta_data)
    return line({
      id: user.id,
      providers: providersOf(
        listOf(user.identities).map((each) => ({
          provider: each.provider,
          subject: each.provider_id,
          email: fieldsOf(each.identity_data).email
        }))
      ),
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
      id: user.localId,
      providers: providersOf(
        listOf(user.providerUserInfo).map(({ providerId, rawId, email }) => ({
          provider: providerId,
          subject: rawId,
          email
        }))
      ),
      email: user.email,
      name: user.displayName,
      emailVerified: booleanOf(user.emailVerified),
      status: booleanOf(user.disabled) ? 'deactivated' : undefined,
      createdAt: timeOf(Number(user.createdAt)),
      passwordHash:
        hasHash && firebase
          ? accept(() => firebaseHash({ passwordHash, salt }, firebase))
          : undefined
    })
  },

  keycloak: (user, { accept }) => {
    const credential = listOf(user.credentials).find(({ type }) => type === 'password')
    const otp = listOf(user.credentials).find(({ type }) => type === 'otp')
    return line({
      id: user.id,
      providers: providersOf(
        listOf(user.federatedIdentities).map(({ identityProvider, userId }) => ({
          provider: identityProvider,
          subject: userId
        }))
      ),
      totp: otp && keycloakTotp(otp),
      email: user.email,
      name: nameOf(user.firstName, user.lastName),
      emailVerified: booleanOf(user.emailVerified),
      status: booleanOf(user.enabled) === false ? 'deactivated' : undefined,
      createdAt: timeOf(user.createdTimestamp),
      passwordHash: credential && accept(() => keycloakHash(credential))
    })
  },

  auth0: (user) =>
    line({
      id: user.user_id,
      providers: providersOf(
        listOf(user.identities).map(({ provider, user_id: subject }) => ({ provider, subject }))
      ),
      email: user.email,
      name: user.name,
      emailVerified: booleanOf(user.email_verified),
      createdAt: timeOf(user.created_at),
      passwordHash: textOf(user.passwordHash)
    }),

  clerk: (user) =>
    line({
      id: user.id,
      email: user.primary_email_address,
      name: nameOf(user.first_name, user.last_name),
      emailVerified: textOf(user.verified_email_addresses)
        ?.split(/[\s,;|]+/)
        .includes(textOf(user.primary_email_address) ?? ''),
      passwordHash: textOf(user.password_digest)
    }),

  logto: (user) =>
    line({
      id: user.id,
      providers: providersOf(
        Object.entries(fieldsOf(user.identities)).map(([provider, identity]) => ({
          provider,
          subject: fieldsOf(identity).userId
        }))
      ),
      email: user.primary_email,
      name: user.name,
      // Logto stores an address only after it was confirmed.
      emailVerified: true,
      status: booleanOf(user.is_suspended) ? 'deactivated' : undefined,
      createdAt: timeOf(user.created_at),
      passwordHash: textOf(user.password_encrypted)
    }),

  directus: (user) =>
    line({
      id: user.id,
      providers: providersOf([{ provider: user.provider, subject: user.external_identifier }]),
      totp: textOf(user.tfa_secret),
      email: user.email,
      name: nameOf(user.first_name, user.last_name),
      status: user.status === 'active' ? undefined : 'deactivated',
      passwordHash: textOf(user.password)
    }),

  django: ({ pk, fields }) => {
    const user = fieldsOf(fields)
    const password = textOf(user.password)
    return line({
      id: textOf(String(pk ?? '')),
      email: user.email,
      name: nameOf(user.first_name, user.last_name),
      status: booleanOf(user.is_active) === false ? 'deactivated' : undefined,
      createdAt: timeOf(user.date_joined),
      // Django writes "!" for a password that cannot be used.
      passwordHash: password?.startsWith('!') ? undefined : password?.replace(/^bcrypt[$]/, '')
    })
  }
}
