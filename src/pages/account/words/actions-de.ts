import type { actions as english } from './actions-en.ts'

export const actions: Record<keyof typeof english, string> = {
  'action.auth.login': 'Anmeldung',
  'action.auth.second-factor': 'Zweiter Faktor einer Anmeldung',
  'action.auth.logout': 'Abmeldung',
  'action.auth.register': 'Registrierung',
  'action.auth.reauthenticate': 'Erneute Bestätigung',
  'action.auth.password-change': 'Passwort geändert',
  'action.auth.recovery': 'Link für ein neues Passwort',
  'action.session.revoke': 'Sitzung beendet',
  'action.user.update': 'Konto geändert',
  'action.user.email-change-request': 'Neue Adresse angefordert',
  'action.user.email-verify': 'Adresse bestätigt',
  'action.user.email-revert': 'Adresse wiederhergestellt',
  'action.user.password-set': 'Passwort gesetzt',
  'action.user.totp-enrol': 'Authenticator-App eingerichtet',
  'action.user.totp-remove': 'Authenticator-App entfernt',
  'action.user.passkey-add': 'Passkey hinzugefügt',
  'action.user.passkey-rename': 'Passkey umbenannt',
  'action.user.passkey-remove': 'Passkey entfernt',
  'action.user.recovery-codes': 'Neue Wiederherstellungscodes',
  'action.user.recovery-code-use': 'Wiederherstellungscode verwendet',
  'action.user.second-factor': 'Pflicht zum zweiten Faktor geändert',
  'action.user.role-grant': 'Rolle vergeben',
  'action.user.role-revoke': 'Rolle entzogen'
}
