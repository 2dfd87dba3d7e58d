import { problems } from '../../../client/words/problems-en.ts'
import { profileLabels } from '../../shared/profile-fields.ts'
import { en as shared } from '../../shared/words/en.ts'
import { actions, factors } from './actions-en.ts'

/** Words of the deletion of an account, and of its restoration. */
export const deletion = {
  delete: 'Delete your account',
  'delete-text':
    'This deletes your account with all of its data and sessions. It cannot be undone. Only a ' +
    'record of what was done with your account is kept for a limited time.',
  'delete-about': 'The next page says what is deleted and when, and asks you to confirm it.',
  'delete-copy': 'Download a copy of your data first',
  'delete-confirm': 'Type {email} to confirm',
  'delete-mismatch': 'This is not the address of your account.',
  deleted: 'Your account is deleted',
  'deleted-text': 'You are signed out everywhere.',
  'delete-plan-text':
    'You are signed out everywhere, and your API keys stop. In {days} days the account is ' +
    'deleted with all of its data. Until then you can restore it: sign in, or use the link in ' +
    'the mail that you get.',
  'deletion-planned': 'Your account will be deleted',
  'deletion-planned-text': 'It will be deleted after {time}. Until then, sign in to restore it.',
  restore: 'Restore your account',
  'restore-text':
    'The account that the mail went to is set to be deleted. Restoring it cancels that: ' +
    'everything stays as it was, and its API keys work again.',
  'restore-other': 'You are signed in to another account, {email}. That one stays as it is.',
  'restore-incomplete': 'The link is incomplete. Open it from the mail about the deletion.',
  'restore-again': 'Or sign in: until the account is finally deleted, you can restore it there.',
  'restore-action': 'Restore the account',
  'restore-done': 'Your account is restored',
  'restore-done-text': 'You can sign in to it as before.'
}

/** Words of the page of API keys. */
export const keys = {
  keys: 'API keys',
  'keys-text':
    'With an API key, a program can act on your behalf, with your permissions. Only you should ' +
    'know your keys.',
  'keys-none': 'You have no API keys.',
  'key-create': 'Create an API key',
  'key-name': 'What the key is for',
  'key-name-hint': 'Such as “Nightly report”',
  'key-days': 'Days until it expires',
  'key-days-hint': 'At most 365; 90 if you leave it empty',
  'key-created-text': 'Store the new key now: it is shown only this once.',
  'key-stored': 'I have stored the key',
  'key-expires': 'Expires {time}',
  'key-unused': 'never used',
  'key-revoke': 'Revoke',
  'key-revoke-title': 'Revoke “{name}”?',
  'key-revoke-text': 'Programs that use this key stop working at once. It cannot be undone.',
  'key-revoke-done': '“{name}” is revoked.',
  'end-keys': 'End all API keys',
  'end-keys-text':
    'All API keys of the account that the mail went to end. Programs that use one of them stop ' +
    'working at once. It cannot be undone.',
  'end-keys-again': 'Or sign in: on the page about security you can revoke API keys one by one.',
  'end-keys-done': 'All API keys have ended',
  'end-keys-done-text': 'Nobody can use them any longer.'
}

/** The words of the account pages. A placeholder in braces is replaced by a value. */
export const en = {
  ...shared,
  ...problems,
  ...actions,
  ...keys,
  ...factors,
  ...deletion,
  ...profileLabels,
  'not-found': 'Page not found',
  'not-found-text': 'There is no page at this address.',
  menu: 'Account',
  'signed-in-as': 'You are signed in as {email}.',
  'sign-out': 'Sign out',
  'back-to': 'Back to {product}',
  'your-account': 'Your account',
  saved: 'Saved.',
  save: 'Save',
  'save-name': 'Save the name',
  'save-theme': 'Save the theme',
  'save-profile': 'Save the profile',
  remove: 'Remove',
  more: 'Show more',
  'suspended-roles':
    'Some of your roles count only with a second factor: {roles}. Set one up, or sign in with it.',

  'sign-in-to': 'Sign in to {product}',
  'to-sign-in': 'Sign in',
  'to-register': 'Create an account',
  'to-forgot': 'Forgot your password?',
  'to-account': 'Back to your account',
  'have-account': 'Already have an account?',

  register: 'Create an account',
  'register-at': 'Create an account at {product}',
  name: 'Name',
  'new-password': 'New password',
  'password-hint': 'At least {length} characters.',
  'mail-sent': 'Check your mail',
  'registered-text':
    'A link was sent to {email}. Open it to confirm the address. If no mail arrives in a few ' +
    'minutes, look in the spam folder.',

  confirm: 'Confirm your e-mail address',
  'confirm-text': 'Enter the password that you chose for the new account.',
  'confirm-other':
    'You are signed in as {email}. Confirming the address signs you in to the new account instead.',
  'other-account':
    'You are signed in as {email}. The link may belong to another account: then yours stays as ' +
    'it is.',
  'password-of-new': 'Password of the new account',
  'confirm-provider-text':
    'Sign in with the provider again, with the same account, to create your account here.',
  'confirm-address': 'Confirm address',
  'confirm-again': 'To get another one, create the account again.',
  'confirm-email-text':
    'This confirms the address that the mail was sent to. The address of your account is {email}.',
  'confirm-new-text':
    'The address that received the mail becomes the address of your account, in place of {email}.',
  'email-confirmed': 'E-mail address confirmed',
  'email-unconfirmed': 'E-mail address not confirmed',
  'email-confirmed-text': 'The address of your account is {email}.',
  'link-incomplete-notice':
    'The link is incomplete. Open it from the mail that told you of the change. If you no longer ' +
    'have the mail, sign in and change your password.',
  'link-incomplete': 'The link is incomplete. Open the link in the mail again, or copy all of it.',

  forgot: 'Forgot your password?',
  'forgot-text': 'You will receive a link by e-mail to choose a new password.',
  'send-link': 'Send the link',
  'forgot-sent':
    'If there is an account with the address {email}, a link was sent to it. It works for 30 ' +
    'minutes. If no mail arrives in a few minutes, look in the spam folder.',
  reset: 'Choose a new password',
  'reset-text':
    'The link sets the password of the account that it was sent to, and ends all of its sessions.',
  'set-password': 'Set the password',
  'reset-done': 'The password is set',
  'reset-done-text': 'All sessions have ended. Sign in with the new password.',
  'new-link': 'Ask for a new link',
  revert: 'Take your account back',
  'revert-text':
    'Only do this if you did not make the change that the mail is about. If you go on:',
  'revert-address': 'The address that received the mail is the address of the account again.',
  'revert-factor':
    'The passkey, the authenticator app or the link to a provider that the mail names is removed.',
  'revert-added': 'Every way to sign in that was added later is removed, too.',
  'revert-password': 'The old password no longer works.',
  'revert-sessions': 'All sessions of the account end.',
  'revert-action': 'Take the account back',
  'revert-done': 'Your account is yours again',
  'revert-done-text': 'Your e-mail address is restored. Sign in with it and the new password.',
  'revert-factors-done-text':
    'What was added is removed. Sign in with the address that the mail was sent to and the new ' +
    'password.',

  security: 'Security',
  'security-about': 'Password, e-mail address, second factor, passkeys and providers',
  'change-password': 'Password',
  'change-password-text': 'A new password ends all other sessions.',
  'no-password': 'You do not have a password yet.',
  'current-password': 'Current password',
  'password-changed': 'The password is changed. All other sessions have ended.',
  address: 'E-mail address',
  'address-verified': '{email}, confirmed',
  'address-unverified': '{email}, not confirmed',
  'address-pending': 'To use {email}, open the link that was sent to it.',
  'send-verification': 'Send a link to confirm it',
  'link-sent': 'A link was sent to {email}.',
  'new-address': 'New e-mail address',
  'change-address': 'Change address',

  'factor-on': 'Second factor on',
  'factor-off': 'Second factor off',
  passkeys: 'Passkeys',
  'passkeys-text':
    'A passkey is on your device or in your password manager. It replaces the password and the ' +
    'second factor.',
  'passkeys-none': 'You have no passkeys.',
  'passkeys-unsupported': 'This browser cannot use passkeys.',
  'passkey-add': 'Add a passkey',
  'passkey-name': 'Name of the passkey',
  'passkey-name-hint': 'Without a name, it is named after the device.',
  'passkey-added': 'Added {time}',
  'passkey-used': 'last used {time}',
  'passkey-here': 'This device already has a passkey for your account.',
  rename: 'Rename',
  'passkey-remove': 'Remove the passkey “{name}”?',
  'passkey-remove-text': 'It can no longer be used to sign in, and all other sessions end.',
  'passkey-remove-done': 'The passkey “{name}” is removed.',
  providers: 'Accounts at providers',
  'providers-text': 'You can sign in with these instead of your password.',
  'providers-none': 'No account at a provider is linked to yours.',
  'provider-link': 'Link {name}',
  'provider-linked': 'The account at {name} is linked.',
  'provider-since': 'Linked {time}',
  'provider-unlink': 'Unlink',
  'provider-unlink-title': 'Unlink the account at {name}?',
  'provider-unlink-text':
    'You can no longer sign in with it, and the other sessions that began with it end.',
  'provider-unlinked': 'The account at {name} is unlinked.',

  enrol: 'Set up a second factor',
  'enrol-done': 'The second factor is set up',
  'enrol-there': 'There is nothing left to do here: you already have a second factor.',
  'enrol-without-link':
    'You do not need a link for this: set up your second factor on the page “Security”.',
  'to-security': 'Go to security',

  sessions: 'Sessions',
  'sessions-about': 'Browsers in which you are signed in',
  'session-current': 'This browser',
  'browser-unknown': 'Unknown browser',
  'session-seen': 'Last used {time}',
  'session-started': 'signed in {time}',
  'end-session': 'End session',
  'end-session-done': 'The session has ended.',
  'end-others': 'End all other sessions',
  'end-others-done': 'All other sessions have ended.',
  'no-others': 'There are no other sessions.',

  settings: 'App settings',
  'settings-about': 'What {product} keeps for you',
  'settings-own': 'Your choices',
  'settings-save': 'Save the settings',
  'settings-app': 'Set by the app',
  'settings-app-text': 'You cannot change these values.',

  data: 'Your data',
  'data-about': 'Name, language, profile, activity and a copy of your data',
  'data-text': 'What {product} knows about you. Each part is saved on its own.',
  theme: 'Theme of the app',
  'theme-system': 'Same as the device',
  'theme-light': 'Light',
  'theme-dark': 'Dark',
  profile: 'Profile',
  'locale-hint': 'For mails and the app.',
  'locale-none': 'Not chosen',
  'timeZone-hint': 'For times in mails, such as Europe/Vienna.',
  activity: 'Activity',
  'activity-text': 'Your actions, and actions of others on your account.',
  'activity-end': 'This is all of your activity.',
  failed: 'failed',
  'by-others': 'by somebody else',
  download: 'Copy of your data',
  'download-text':
    'A file (JSON) with everything that is kept about you: account, profile, sessions, ways to ' +
    'sign in, API keys, activity and mails.',
  'download-action': 'Download'
}
