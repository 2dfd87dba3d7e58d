/** The sentences of mails about the deletion of an account. */
export const deletion = {
  'account-deleted.subject': 'Your {product} account was deleted',
  'account-deleted.body': 'Your account at {product} was deleted, with all of its sessions.',
  'account-deleted.not-you':
    'If this was not you, contact the people who run {product}. The account cannot be restored ' +
    'from this mail.',

  'deletion-planned.subject': 'Your {product} account will be deleted',
  'deletion-planned.body':
    'Somebody who is signed in as you has asked to delete your account at {product}. You are ' +
    'signed out everywhere, and your API keys do not work.',
  'deletion-planned.when':
    'The account will be deleted after {time}. Until then you can restore it: sign in as usual, ' +
    'or use this link.',
  'deletion-planned.button': 'Restore the account',
  'deletion-planned.not-you':
    'If this was not you, restore the account and then choose a new password.',

  'deletion-cancelled.subject': 'Your {product} account is restored',
  'deletion-cancelled.body':
    'Your account at {product} will not be deleted. You can sign in as before, and your API keys ' +
    'work again.',
  'deletion-cancelled.not-you': 'If this was not you, choose a new password now.',
  'deletion-cancelled.last-admin':
    'The account was due to be deleted, but {product} would have had no administrator. Make ' +
    'somebody else an administrator first.'
} as const

/** The sentences of mails about API keys. */
export const keys = {
  'password-changed.keys':
    'A new password does not revoke API keys. The account has some that still work: {count}. ' +
    'Check them on your account page, and revoke those that you do not know.',
  'password-changed.keys-ended':
    'API keys that somebody else may have created were revoked with it: {count}.',
  'password-changed.keys-left':
    'These API keys still work: {keys}. If you do not know one of them, revoke all of them with ' +
    'this link.',
  'password-changed.end-keys': 'Revoke all API keys',
  'factors.keys-ended':
    'API keys that were created before it no longer work: {count}. Create new ones where ' +
    'programs need them.',
  'factors.keys-lowered':
    'Roles that require a second factor no longer count for your API keys: {count}.',

  'key-created.subject': 'An API key was created for your {product} account',
  'key-created.body':
    'An API key was created for your account at {product}. A program that has it can act on your ' +
    'behalf.',
  'key-created.which': 'The key: {key}.',
  'key-created.not-you':
    'If this was not you, revoke the key and change your password now. A new password alone does ' +
    'not revoke the key.',
  'key-created.button': 'See your API keys',

  'key-expiring.subject': 'An API key for {product} expires soon',
  'key-expiring.body': 'An API key at {product} expires soon. Programs that use it will stop.',
  'key-expiring.own': 'Your key {key} expires at {time}.',
  'key-expiring.service': 'The key {key} of the service {service} expires at {time}.',
  'key-expiring.advice':
    'If it is still needed, create another key, replace it where it is used, and then revoke the ' +
    'old one. Both work until then.'
} as const

/** The mail about a sign-in from a new browser. */
const newDevice = {
  'new-device.subject': 'New sign-in to your {product} account',
  'new-device.body':
    'Somebody signed in to your account at {product} from a browser that has not been used with ' +
    'it before.',
  'new-device.password': 'They used the password.',
  'new-device.passkey': 'They used a passkey.',
  'new-device.provider': 'They used an account at {provider}.',
  'new-device.password-not-you':
    'If this was not you, change your password now. That ends all other sessions. You can see ' +
    'them on your account page.',
  'new-device.passkey-not-you':
    'If this was not you, remove every passkey that you do not know. That ends all other ' +
    'sessions. A new password alone does not keep out somebody who has a passkey.',
  'new-device.provider-not-you':
    'If this was not you, unlink the account at {provider}. That ends the sessions that began ' +
    'with it. If the account there is yours, secure it there. A new password alone does not keep ' +
    'out somebody who can use that account.',
  'new-device.not-you':
    'If this was not you, change your password now and check how you sign in. Changing the ' +
    'password ends all other sessions.',
  'new-device.button': 'See your sessions'
} as const

/**
 * The sentences of all mails. A placeholder in braces is replaced by a value; everything else is
 * plain text. The other languages must have the same keys and may use the same placeholders.
 */
export const en = {
  'common.hello': 'Hello,',
  'common.hello-name': 'Hello {name},',
  'common.footer': 'You get this mail because {address} is used at {product}.',
  'common.expiry': 'The link works until {time}.',

  'fact.time': 'Time',
  'fact.browser': 'Browser',
  'fact.address': 'Network address',

  'factor.totp': 'authenticator app',
  'factor.passkey': 'passkeys',
  'factor.provider': 'account at {provider}',
  'factor.recovery-code': 'recovery codes',

  'confirm.subject': 'Confirm your e-mail address for {product}',
  'confirm.body':
    'Somebody registered at {product} with this e-mail address. If it was you, confirm the ' +
    'address with the password that you chose.',
  'confirm.body-provider':
    'Somebody registered at {product} with this e-mail address and an account at another ' +
    'provider, or signed in with one. If it was you, open the link and sign in with the same ' +
    'account again.',
  'confirm.button': 'Confirm address',
  'confirm.ignore':
    'If it was not you, ignore this mail. Nobody can sign in with your address unless it is ' +
    'confirmed with this link.',

  'already-registered.subject': 'You already have an account at {product}',
  'already-registered.body':
    'Somebody tried to register at {product} with this e-mail address, but you already have an ' +
    'account. You can sign in with your password.',
  'already-registered.sign-in': 'Sign in',
  'already-registered.forgot': 'If you have forgotten your password, you can choose a new one.',
  'already-registered.reset': 'Choose a new password',
  'already-registered.ignore': 'If it was not you, ignore this mail. Your account has not changed.',

  'address-kept.subject': 'This address cannot be used at {product} yet',
  'address-kept.body':
    'Somebody tried to register at {product} with this e-mail address. Until recently it was the ' +
    'address of another account, and a link can still restore it there.',
  'address-kept.until': 'The address can be used for a new account after {time}.',
  'address-kept.owner':
    'If that account is yours and you did not change its address, open the mail about the ' +
    'change and take your account back.',

  'invitation.subject': 'Your account at {product}',
  'invitation.body': 'An account was created for you at {product}. Choose a password to use it.',
  'invitation.button': 'Choose a password',

  'scope-invitation.subject': 'You are invited to {product}',
  'scope-invitation.body':
    '{inviter} invites you to {product}, with the role {role}. Sign in with this e-mail address ' +
    'or create an account to accept.',
  'scope-invitation.button': 'See the invitation',
  'scope-invitation.ignore': 'If you do not know {inviter}, ignore this mail.',

  'recovery.subject': 'Choose a new password for {product}',
  'recovery.body':
    'Somebody asked for a new password for your account at {product}. If it was you, choose one ' +
    'now. You will be signed out everywhere.',
  'recovery.button': 'Choose a new password',
  'recovery.ignore': 'If it was not you, ignore this mail. Your password has not changed.',

  'email-change.subject': 'Confirm your new e-mail address for {product}',
  'email-change.body':
    'You asked to use this e-mail address for your account at {product}. Confirm it while you ' +
    'are signed in.',
  'email-change.button': 'Confirm new address',
  'email-change.ignore':
    'If it was not you, ignore this mail. The address will not be used unless it is confirmed.',

  'email-verify.subject': 'Confirm the e-mail address of your {product} account',
  'email-verify.body':
    'Please confirm that this is the e-mail address of your account at {product}. Open the link ' +
    'while you are signed in.',
  'email-verify.button': 'Confirm address',
  'email-verify.ignore': 'If you have no account there, ignore this mail.',

  'email-changed.subject': 'The e-mail address of your {product} account was changed',
  'email-changed.body':
    'The e-mail address of your account at {product} was changed. This old address no longer ' +
    'belongs to it.',
  'email-changed.revert':
    'If this was not you, take your account back: restore this address and choose a new ' +
    'password. Everybody else will be signed out, and what they have added to sign in with is ' +
    'removed.',
  'email-changed.button': 'Restore this address',
  'email-changed.not-you': 'If you did not expect this, contact the people who run {product}.',
  'email-changed.ignore': 'If this was you, there is nothing to do.',

  'password-changed.subject': 'The password of your {product} account was changed',
  'password-changed.body': 'The password of your account at {product} was changed.',
  'password-changed.removed': 'These ways to sign in were removed with it: {factors}.',
  'password-changed.left':
    'These ways to sign in are still there: {factors}. If you do not know one of them, remove it.',
  'password-changed.revert':
    'Some ways to sign in were added in the last three days by somebody who had only the ' +
    'password. If that was not you, use this link: it removes them, sets a new password and ' +
    'signs everybody out.',
  'password-changed.not-you':
    'If this was not you, choose a new password now. Everybody will be signed out.',
  'password-changed.button': 'Choose a new password',

  ...newDevice,
  ...deletion,

  'factors.not-you':
    'If this was not you, change your password now and check how you sign in. Changing the ' +
    'password signs everybody else out.',
  'factors.not-you-link':
    'If this was not you, use this link: it removes what was added, sets a new password and ' +
    'signs everybody out. A new password alone would not remove it.',
  'factors.revert': 'This was not me',
  'factors.button': 'Check how you sign in',

  'factor-enrolment.subject': 'Set up a second factor for {product}',
  'factor-enrolment.body':
    'Your roles at {product} require a second factor. Open the link while you are signed in, and ' +
    'set up an authenticator app or a passkey.',
  'factor-enrolment.button': 'Set up a second factor',
  'factor-enrolment.ignore':
    'If you did not ask for this, somebody else may know your password: change it.',

  'second-factor-added.subject': 'A second factor was set up for your {product} account',
  'second-factor-added.body':
    'An authenticator app was set up for your account at {product}. From now on, signing in ' +
    'with the password also requires a code.',

  'second-factor-removed.subject': 'A second factor was removed from your {product} account',
  'second-factor-removed.body':
    'A second factor was removed from your account at {product}, or signing in no longer ' +
    'requires one.',

  'second-factor-guessed.subject': 'Somebody knows the password of your {product} account',
  'second-factor-guessed.body':
    'Somebody entered the correct password for your account at {product}, and then many wrong ' +
    'codes. The second factor protected your account.',
  'second-factor-guessed.advice': 'If this was not you, choose a new password now.',

  'second-factor-required.subject': 'Your {product} account now requires a second factor',
  'second-factor-required.body':
    'From now on, signing in to your account at {product} with the password also requires a ' +
    'second factor.',

  'recovery-codes-renewed.subject': 'New recovery codes for your {product} account',
  'recovery-codes-renewed.body':
    'New recovery codes were created for your account at {product}. All earlier ones are invalid.',

  'sign-in-unfinished.subject': 'Unfinished sign-in to your {product} account',
  'sign-in-unfinished.body':
    'Somebody entered the correct password for your account at {product}, or signed in with a ' +
    'linked account, in a browser that has not been used with it before, but did not enter the ' +
    'second factor.',
  'sign-in-unfinished.advice':
    'If this was not you, somebody else knows your password, or uses your account at a provider: ' +
    'choose a new password now, and unlink accounts that are not yours.',

  'passkey-added.subject': 'A passkey was added to your {product} account',
  'passkey-added.body':
    'A passkey was added to your account at {product}. It can be used to sign in without the ' +
    'password.',

  'passkey-removed.subject': 'A passkey was removed from your {product} account',
  'passkey-removed.body':
    'A passkey was removed from your account at {product}. It can no longer be used to sign in.',

  'passkey-copied.subject': 'A passkey of your {product} account may have been copied',
  'passkey-copied.body':
    'A sign-in to your account at {product} was rejected, because it may have used a copy of ' +
    'your passkey.',
  'passkey-copied.advice':
    'If you have not restored the device from a backup, sign in another way and remove the ' +
    'passkey. If you cannot sign in, choose a new password.',

  'recovery-code-used.subject': 'A recovery code of your {product} account was used',
  'recovery-code-used.body':
    'Somebody signed in to your account at {product} with a recovery code.',
  'recovery-code-used.left': 'Recovery codes left: {left}.',

  'export-made.subject': 'The data of your {product} account was downloaded',
  'export-made.body':
    'Somebody who is signed in as you has downloaded a file with what {product} keeps about you.',
  'export-made.advice':
    'If this was not you, somebody has access to your account. Choose a new password now, which ' +
    'signs everybody out.',

  ...keys,

  'provider-linked.subject': 'An account was linked to your {product} account',
  'provider-linked.body':
    'An account at {provider} was linked to your account at {product}. It can be used to sign in ' +
    'without the password.',

  'provider-unlinked.subject': 'An account was unlinked from your {product} account',
  'provider-unlinked.body':
    'An account at {provider} was unlinked from your account at {product}. It can no longer be ' +
    'used to sign in.',

  'test.subject': 'Test mail from {product}',
  'test.body': 'This is a test mail. If you can read it, {product} can send mail to this address.'
} as const

export type TextKey = keyof typeof en
export type Dictionary = Record<TextKey, string>
