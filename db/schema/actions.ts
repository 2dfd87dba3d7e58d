import type { ActivityDetails } from './activity-details.ts'

// The vocabulary of the audit trail.

export const targetTypes = [
  'user',
  'session',
  'role',
  'permission',
  'flag',
  'segment',
  'service',
  'webhook',
  'scope'
] as const

const when = <Details extends (keyof ActivityDetails)[]>(what: string, ...details: Details) => ({
  when: what,
  details
})

/**
 * Every action that is recorded: when, in the words of docs/lookup/api.md, and the keys that its
 * `details` may have.
 */
export const actions = {
  'auth.register': when('an account is registered', 'email', 'provider'),
  'auth.login': when('a login succeeds or fails', 'email', 'replaced', 'amr', 'provider'),
  'auth.second-factor-due': when(
    'the password or the provider account of a sign-in is right, and the second factor is due: ' +
      '`auth.login` follows if it is completed'
  ),
  'auth.second-factor': when('a code, recovery code or passkey is wrong'),
  'auth.reauthenticate': when(
    'a user authenticates again, or enters a wrong password for it',
    'amr',
    'provider'
  ),
  'auth.passkey-clone': when(
    'a passkey is refused because its counter did not grow: somebody may have a copy',
    'name'
  ),
  'auth.provider-refused': when(
    'a sign-in with a provider is refused; `reason` says why',
    'provider'
  ),
  'auth.provider-logout': when(
    'a provider reports that a user has signed out there, and the sessions that began with it end',
    'provider',
    'revoked'
  ),
  'auth.logout': when('a user signs out'),
  'auth.password-change': when('a user changes their password', 'revoked'),
  'auth.register-request': when(
    'a registration waits for its address to be confirmed; the target is the owner of a ' +
      'registered address'
  ),
  'auth.register-refused': when(
    'a rule or a hook refuses a registration, or a call that causes mail needs a challenge ' +
      'first: `reason` says which. There is one record of each an hour',
    'count'
  ),
  'auth.confirm-failed': when('the password for a confirmation is wrong'),
  'auth.recovery-request': when('somebody asks for a new password for an existing account'),
  'auth.recovery': when('a password is set with a link', 'revoked'),
  'auth.token-rejected': when('a forged token, or two session cookies', 'route', 'count'),
  'session.revoke': when('sessions are ended by request', 'sessionId', 'revoked'),
  'session.limit': when('the oldest session ends because the user has too many'),
  'user.create': when(
    'somebody else creates an account; for an import also what it grants',
    'email',
    'role',
    'grantedRoles',
    'providers',
    'secondFactor',
    'parts',
    'status'
  ),
  'user.update': when('address, name, theme or profile change', 'fields', 'changes'),
  'user.settings-update': when(
    'settings of the app change: `fields` names them; of the changes that a user makes to their ' +
      'own, one an hour is recorded',
    'part',
    'fields',
    'key'
  ),
  'user.email-change-request': when('a user asks for another address'),
  'user.email-change-cancel': when('a user keeps the current address instead'),
  'user.email-verify': when(
    'an address is confirmed; with `provider` by the one that its domain requires',
    'provider',
    'revoked'
  ),
  'user.email-revert': when('a change of address is reverted with a new password', 'revoked'),
  'user.factor-revert': when(
    'a second factor that the password alone added is reverted with a new password',
    'revoked'
  ),
  'user.invite': when('a link to choose the first password is mailed to a new user'),
  'user.confirm-link': when('somebody else has a link to confirm the address mailed to a user'),
  'user.reset-link': when('an operator creates a link to set a password'),
  'user.totp-enrol': when('a user sets up an authenticator app', 'revoked'),
  'user.totp-remove': when(
    'a user, an administrator or an operator removes the authenticator app; `required` is ' +
      'there when signing in no longer requires a second factor',
    'revoked',
    'required'
  ),
  'user.recovery-codes': when('a user replaces their recovery codes'),
  'user.recovery-code-use': when('a user signs in with a recovery code'),
  'user.provider-link': when(
    'an account at a provider is linked: the user signs in with it from now on',
    'provider'
  ),
  'user.provider-unlink': when(
    'a user, an administrator or an operator unlinks an account at a provider; or a link removes ' +
      'it (`reason` `recovery`: the password alone linked it of late; others as for ' +
      '`user.second-factor-reset`)',
    'provider',
    'revoked'
  ),
  'user.passkey-add': when('a user adds a passkey', 'name', 'revoked'),
  'user.passkey-rename': when('a user renames a passkey', 'name'),
  'user.passkey-remove': when(
    'a user, an administrator or an operator removes a passkey; `required` as for the app',
    'name',
    'revoked',
    'required'
  ),
  'user.second-factor': when('a user sets whether signing in requires a second factor', 'required'),
  'user.second-factor-reset': when(
    'an administrator or an operator removes all second factors of a user; or a link removes ' +
      'some (`reason` `unconfirmed`: all, with the first proof of the address; `reverted`: those ' +
      'added since a change)',
    'revoked'
  ),
  'user.enrolment-link': when('a link to set up the first second factor is sent or printed'),
  'user.deactivate': when('an account is deactivated, and its sessions end', 'revoked'),
  'user.reactivate': when('an account is active again'),
  'user.delete': when('an account is deleted', 'email'),
  'user.deletion-plan': when(
    'a user asks for the deletion of their account, which they can still restore',
    'revoked'
  ),
  'user.deletion-cancel': when(
    'an account is restored before its deletion; `reason` `last-admin`: the portal has restored ' +
      'it instead of deleting the last administrator'
  ),
  'user.export': when('a user, or an operator for them, exports what is kept about the user'),
  'user.role-grant': when('a user gets a role', 'role'),
  'user.role-revoke': when('a user loses a role', 'role'),
  'user.password-set': when('an administrator or an operator sets a password', 'revoked'),
  'scope.role-grant': when(
    'a user gets a role in a scope; `reason` `invitation`: by accepting one',
    'scope',
    'role'
  ),
  'scope.role-revoke': when('a user loses a role in a scope, or leaves it', 'scope', 'role'),
  'scope.invite': when('somebody is invited to a scope', 'role', 'email'),
  'scope.invitation-delete': when('an invitation is withdrawn', 'role', 'email'),
  'scope.delete': when('a scope is deleted, with its roles and invitations', 'members'),
  'role.create': when('a role is created', 'key', 'permissions'),
  'role.update': when(
    'name, description, or whether a second factor is required changes',
    'key',
    'fields',
    'changes'
  ),
  'role.delete': when('a role is deleted', 'key', 'members', 'permissions'),
  'role.members-remove': when('a step of deleting a large role', 'key', 'members'),
  'role.permission-grant': when('a role gets a permission', 'key', 'permission'),
  'role.permission-revoke': when('a role loses a permission', 'key', 'permission'),
  'permission.create': when('a permission is created', 'key'),
  'permission.update': when(
    'a description changes, or an upgrade turns a custom permission into a system permission',
    'key',
    'fields',
    'changes'
  ),
  'permission.delete': when('a permission is deleted', 'key', 'roles'),
  'service.create': when('a service is created', 'service'),
  'service.update': when(
    'name, description or status of a service change',
    'service',
    'fields',
    'changes'
  ),
  'service.delete': when(
    'a service is deleted, with its keys; `count` says how many were active',
    'service',
    'count'
  ),
  'service.role-grant': when('a service gets a role', 'service', 'role'),
  'service.role-revoke': when('a service loses a role', 'service', 'role'),
  'key.create': when(
    'an API key is created; the target of this action and the next two is its owner',
    'key',
    'name',
    'permissions',
    'networks',
    'expiresAt'
  ),
  'key.revoke': when(
    'an API key is revoked (`key`), or several of a user (`revoked`): by request, with the first ' +
      'second factor, or when a link takes the account back',
    'key',
    'revoked'
  ),
  'key.use': when(
    'an API key is used from a network for the first time: at once, or an hour after the record ' +
      'of another network, then with `firstAt`',
    'key',
    'firstAt'
  ),
  'key.rejected': when(
    'a key is used that has ended; `reason` is `key-revoked`, `key-expired`, or `key-owner` if ' +
      'its user or service is deactivated',
    'key',
    'route',
    'count'
  ),
  'flag.create': when('a flag is created', 'key', 'version'),
  'flag.update': when('a flag is changed', 'key', 'fields', 'version'),
  'flag.delete': when('a flag is deleted', 'key', 'version'),
  'flag.restore': when(
    'an earlier version of a flag is restored; without `fields` if the flag was deleted',
    'key',
    'fields',
    'version'
  ),
  'segment.create': when('a segment is created', 'key', 'version'),
  'segment.update': when('a segment is changed', 'key', 'fields', 'version'),
  'segment.delete': when('a segment is deleted', 'key', 'version'),
  'segment.restore': when(
    'an earlier version of a segment is restored; without `fields` if the segment was deleted',
    'key',
    'fields',
    'version'
  ),
  'webhook.create': when('a webhook is created', 'host', 'events'),
  'webhook.update': when(
    'the URL, events, state or secret of a webhook change; by the system when it pauses one that ' +
      'fails',
    'host',
    'fields'
  ),
  'webhook.delete': when('a webhook is deleted, with its deliveries', 'host'),
  'webhook.resend': when(
    'somebody has one event, or all that were given up, sent again',
    'host',
    'count'
  ),
  'access.denied': when(
    'a user or a key lacks a permission, or a key comes from another network than its own',
    'permission',
    'key',
    'route',
    'count'
  ),
  'request.cross-site': when('a page of another site sent a request', 'route', 'count'),
  'throttle.limited': when('a rate limit was reached', 'route', 'limit', 'count'),
  'throttle.reset': when('an operator resets the limits of an account'),
  'mail.dead': when('a mail was refused for good', 'kind', 'error', 'reply'),
  'mail.drop': when('a mail expired before it could be delivered', 'kind', 'error', 'reply'),
  'mail.retry': when('somebody has one mail, or all dead mail, sent again', 'kind', 'count'),
  'admin.bootstrap': when('a development server creates the first administrator', 'email'),
  'settings.prune': when('an operator removes settings that the schema rejects', 'count'),
  'users.export': when('users are exported with password hashes', 'count'),
  'portal.refresh': when('an operator makes all instances reload'),
  'console.start': when('an operator starts `portal console`', 'write'),
  'console.end': when('it ends')
}

export type Action = keyof typeof actions
export const actionNames = Object.keys(actions) as [Action, ...Action[]]
