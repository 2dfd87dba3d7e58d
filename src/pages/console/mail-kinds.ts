import type { Schemas } from '../shared/client.ts'

/** What each mail is about. */
export const mailKinds: Record<Schemas['OutboxMessage']['kind'], string> = {
  confirm: 'Confirm the address',
  'already-registered': 'Already registered',
  'address-kept': 'Address still kept for another account',
  invitation: 'Invitation',
  recovery: 'Choose a new password',
  'email-verify': 'Confirm the address',
  'email-change': 'Confirm the new address',
  'email-changed': 'Address changed',
  'password-changed': 'Password changed',
  'new-device': 'Sign-in from a new device',
  'account-deleted': 'Account deleted',
  'factor-enrolment': 'Set up a second factor',
  'second-factor-added': 'Second factor added',
  'second-factor-removed': 'Second factor removed',
  'second-factor-guessed': 'Second factor guessed at',
  'second-factor-required': 'Second factor required',
  'recovery-codes-renewed': 'New recovery codes',
  'sign-in-unfinished': 'Sign-in not finished',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'passkey-copied': 'Passkey copied',
  'recovery-code-used': 'Recovery code used',
  'key-created': 'API key created',
  'key-expiring': 'API key expires soon',
  'provider-linked': 'Provider account linked',
  'provider-unlinked': 'Provider account unlinked'
}
