import type { ProblemCode } from '../problems/list.ts'

/**
 * What a command says instead of `detail`, which speaks to the user of an app. An operator has no
 * account to sign in to, but has other commands.
 */
export const operatorWords: Partial<Record<ProblemCode, string>> = {
  'email-taken':
    'An account with this e-mail address already exists. See it with portal user show EMAIL, or ' +
    'use another address. To make its user an administrator, run: portal user grant EMAIL admin',
  'email-verified': 'The e-mail address is already confirmed.',
  'enrolment-link-not-needed':
    'The user needs no link: no role of theirs requires a second factor, or they have one ' +
    'already. See: portal user show USER',
  'user-not-found': 'No such user. Find the id or the address with: portal user list --q TEXT',
  'user-deactivated':
    'The user is deactivated. Reactivate the account first: portal user reactivate USER',
  'role-not-found': 'No such role. See: portal role list',
  'role-exists': 'A role with this key already exists. See: portal role show KEY',
  'permission-not-found': 'No such permission. See: portal permission list',
  'permission-exists': 'A permission with this key already exists. See: portal permission show KEY',
  'flag-not-found': 'No such feature flag. See: portal flag list',
  'flag-exists': 'A feature flag with this key already exists. See: portal flag show KEY',
  'revision-not-found': 'No such version. See: portal flag history KEY',
  'session-not-found':
    'No such session, or it has already ended. See the active ones with: portal session list',
  'mail-not-found':
    'No such mail. It is deleted some days after it was sent. See: portal mail list',
  'mail-off': 'No mail server is configured. Set MAIL_URL, or print the link instead.',
  'last-admin':
    'This is the last administrator who can sign in. Create another one first: ' +
    'portal admin create --email EMAIL',
  'targeting-key-missing':
    'The flag is split by targeting key. Name one with --targeting-key, or a user with --user.',
  'database-unavailable':
    'The database does not answer. Confirmed changes are safe. Run portal doctor for details.',
  overloaded: 'The change met too many others at once. Nothing was changed. Try again.'
}
