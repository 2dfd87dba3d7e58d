import { firebaseHash, HashRefusal } from '../domain/passwords/foreign-forms.ts'
import type { System } from './import-convert.ts'
import { at, booleanOf, keycloakHash, keycloakTotp, listOf, textOf } from './import-fields.ts'

// Where each system has its facts: docs/do/moving.md says how to ask for an export.

export const sources: Readonly<Record<string, System>> = {
  'better-auth': {
    id: 'id',
    email: 'email',
    names: ['name'],
    verified: 'emailVerified',
    created: 'createdAt',
    disabled: 'banned',
    bannedUntil: 'banExpires',
    factors: ['twoFactorEnabled'],
    accounts: {
      list: 'accounts',
      provider: 'providerId',
      subject: 'accountId',
      password: 'password'
    }
  },

  supabase: {
    id: 'id',
    email: 'email',
    names: ['raw_user_meta_data.full_name', 'raw_user_meta_data.name'],
    verifiedAt: 'email_confirmed_at',
    created: 'created_at',
    bannedUntil: 'banned_until',
    deletedAt: 'deleted_at',
    password: 'encrypted_password',
    factors: ['factors'],
    accounts: {
      list: 'identities',
      provider: 'provider',
      subject: 'provider_id',
      email: 'identity_data.email'
    }
  },

  firebase: {
    id: 'localId',
    email: 'email',
    names: ['displayName'],
    verified: 'emailVerified',
    created: 'createdAt',
    disabled: 'disabled',
    factors: ['mfaInfo'],
    accounts: {
      list: 'providerUserInfo',
      provider: 'providerId',
      subject: 'rawId',
      email: 'email'
    },
    reads: ['passwordHash', 'salt'],
    special(user, { firebase, accept }) {
      const [passwordHash, salt] = [textOf(at(user, 'passwordHash')), textOf(at(user, 'salt'))]
      if (passwordHash === undefined) return {}
      return {
        passwordHash: accept(() => {
          if (salt !== undefined && firebase) return firebaseHash({ passwordHash, salt }, firebase)
          throw new HashRefusal({ code: 'unknown-hash', message: 'Has no salt' })
        })
      }
    }
  },

  keycloak: {
    id: 'id',
    email: 'email',
    names: ['firstName lastName'],
    verified: 'emailVerified',
    created: 'createdTimestamp',
    enabled: 'enabled',
    accounts: { list: 'federatedIdentities', provider: 'identityProvider', subject: 'userId' },
    reads: ['credentials', 'requiredActions'],
    special(user, { accept }) {
      const credentials = listOf(at(user, 'credentials'))
      const password = credentials.find(({ type }) => type === 'password')
      const otp = credentials.find(({ type }) => type === 'otp')
      const actions = [at(user, 'requiredActions') ?? []].flat()
      const isTemporary = booleanOf(password?.temporary, 'passwordHash') === true
      const mustChange = isTemporary || actions.includes('UPDATE_PASSWORD')
      return {
        totp: otp && keycloakTotp(otp),
        // Somebody else may know a password that must be changed.
        passwordHash: mustChange ? undefined : password && accept(() => keycloakHash(password)),
        hasFactor: credentials.some(({ type }) => !/^password/.test(String(type))),
        leftOut: [
          ...(password && mustChange ? ['passwords that must be changed'] : []),
          ...(actions.some((each) => each !== 'UPDATE_PASSWORD') ? ['requiredActions'] : [])
        ]
      }
    }
  },

  auth0: {
    id: 'user_id',
    email: 'email',
    names: ['name', 'given_name family_name'],
    verified: 'email_verified',
    created: 'created_at',
    disabled: 'blocked',
    password: 'passwordHash',
    factors: ['multifactor', 'mfa_factors', 'guardian_authenticators'],
    accounts: { list: 'identities', provider: 'provider', subject: 'user_id' }
  },

  clerk: {
    id: 'id',
    email: 'primary_email_address',
    names: ['first_name last_name'],
    created: 'created_at',
    disabled: 'banned',
    password: 'password_digest',
    factors: ['totp_secret', 'backup_codes'],
    reads: ['verified_email_addresses', 'unverified_email_addresses', 'password_hasher'],
    special(user) {
      const primary = textOf(at(user, 'primary_email_address'))?.trim().toLowerCase()
      const [confirmed = [], others = []] = ['verified', 'unverified'].map((kind) =>
        (textOf(at(user, `${kind}_email_addresses`)) ?? '')
          .toLowerCase()
          .split(/[\s,;|]+/)
          .filter((each) => each !== '')
      )
      const hasMore = [...confirmed, ...others].some((each) => each !== primary)
      return {
        emailVerified: confirmed.some((each) => each === primary),
        leftOut: hasMore ? ['other e-mail addresses'] : []
      }
    }
  },

  logto: {
    id: 'id',
    email: 'primary_email',
    names: ['name'],
    created: 'created_at',
    disabled: 'is_suspended',
    password: 'password_encrypted',
    factors: ['mfa_verifications'],
    accounts: { list: 'identities', provider: 'key', subject: 'userId' },
    // Logto stores an address only after it was confirmed.
    special: () => ({ emailVerified: true })
  },

  directus: {
    id: 'id',
    email: 'email',
    names: ['first_name last_name'],
    password: 'password',
    totp: 'tfa_secret',
    accounts: { provider: 'provider', subject: 'external_identifier' },
    reads: ['status'],
    special: (user) => (at(user, 'status') === 'active' ? {} : { status: 'deactivated' })
  },

  django: {
    inside: 'fields',
    isUser: 'password',
    id: 'pk',
    email: 'email',
    names: ['first_name last_name', 'name'],
    created: 'date_joined',
    enabled: 'is_active',
    reads: ['password'],
    special(user) {
      const password = textOf(at(user, 'password'))
      // Django writes "!" for a password that cannot be used.
      if (password === undefined || password.startsWith('!')) return {}
      return { passwordHash: password.replace(/^bcrypt[$]/, '') }
    }
  },

  cognito: {
    pairs: 'Attributes',
    id: 'sub',
    email: 'email',
    names: ['name', 'given_name family_name'],
    verified: 'email_verified',
    created: 'UserCreateDate',
    enabled: 'Enabled',
    factors: ['MFAOptions', 'UserMFASettingList'],
    accounts: { list: 'identities', provider: 'providerName', subject: 'userId' }
  },

  devise: {
    id: 'id',
    email: 'email',
    names: ['name', 'full_name', 'first_name last_name'],
    verifiedAt: 'confirmed_at',
    created: 'created_at',
    deletedAt: 'deleted_at',
    password: 'encrypted_password',
    factors: ['otp_required_for_login'],
    accounts: { provider: 'provider', subject: 'uid' }
  }
}
