import type { MailContent } from '../../src/domain/outbox/enqueue.ts'
import { loadTexts } from '../../src/domain/mail/texts.ts'
import type { MailSettings } from '../../src/domain/mail/composer.ts'
import type { MailKind } from '../support/mails.ts'

export const token = 'Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM'
const expiresAt = '2026-05-03T22:30:00.000Z'
const occasion = {
  at: '2026-05-02T22:30:00.000Z',
  ip: '2001:db8::7',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'
}

/** One mail of every kind. */
export const samples = {
  confirm: { kind: 'confirm', token, expiresAt },
  'address-kept': { kind: 'address-kept', until: expiresAt },
  'already-registered': { kind: 'already-registered' },
  invitation: { kind: 'invitation', token, expiresAt },
  'scope-invitation': {
    kind: 'scope-invitation',
    inviter: 'grace@example.com',
    role: 'Accountant',
    token,
    expiresAt
  },
  recovery: { kind: 'recovery', token, expiresAt },
  'email-change': { kind: 'email-change', token, expiresAt },
  'email-verify': { kind: 'email-verify', token, expiresAt },
  'email-changed': { kind: 'email-changed', token, expiresAt, ...occasion },
  'password-changed': {
    kind: 'password-changed',
    removed: ['passkey'],
    unlinked: ['GitHub'],
    left: ['totp', 'recovery-code'],
    linked: ['Google'],
    keys: 2,
    keysEnded: 1,
    keysLeft: [{ name: 'Nightly report', lastFour: 'x7Qa' }],
    keysLink: { token, expiresAt },
    token,
    expiresAt,
    ...occasion
  },
  'new-device': { kind: 'new-device', method: 'password', ...occasion },
  'account-deleted': { kind: 'account-deleted', ...occasion },
  'deletion-planned': { kind: 'deletion-planned', token, expiresAt, ...occasion },
  'deletion-cancelled': { kind: 'deletion-cancelled', ...occasion },
  'factor-enrolment': { kind: 'factor-enrolment', token, expiresAt },
  'second-factor-added': { kind: 'second-factor-added', token, expiresAt, ...occasion },
  'second-factor-removed': { kind: 'second-factor-removed', keys: 1, ...occasion },
  'second-factor-guessed': { kind: 'second-factor-guessed', ...occasion },
  'second-factor-required': { kind: 'second-factor-required', ...occasion },
  'recovery-codes-renewed': { kind: 'recovery-codes-renewed', ...occasion },
  'sign-in-unfinished': { kind: 'sign-in-unfinished', ...occasion },
  'passkey-added': { kind: 'passkey-added', keys: 1, ...occasion },
  'passkey-removed': { kind: 'passkey-removed', ...occasion },
  'export-made': { kind: 'export-made', ...occasion },
  'passkey-copied': { kind: 'passkey-copied', ...occasion },
  'recovery-code-used': { kind: 'recovery-code-used', left: 9, ...occasion },
  'key-created': { kind: 'key-created', name: 'Nightly report', lastFour: 'x7Qa', ...occasion },
  'key-expiring': { kind: 'key-expiring', name: 'Nightly report', lastFour: 'x7Qa', expiresAt },
  'provider-linked': { kind: 'provider-linked', provider: 'Google', token, expiresAt, ...occasion },
  'provider-unlinked': { kind: 'provider-unlinked', provider: 'Google', ...occasion },
  test: { kind: 'test' }
} satisfies Record<MailKind, MailContent>

export const settings: MailSettings = {
  product: 'Kontor & Söhne',
  accountUrl: 'https://app.example.com/account',
  locale: 'en',
  texts: loadTexts(),
  look: { accent: { fill: '#3b55d0', on: '#ffffff' } }
}
export const locales = ['en', 'de', 'fr', 'es'] as const
