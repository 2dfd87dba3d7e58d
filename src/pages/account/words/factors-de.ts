import type { factors as english } from './factors-en.ts'

export const factors: Record<keyof typeof english, string> = {
  'enter-factor': 'Zweiten Faktor eingeben',
  'why-confirm-email': 'Melden Sie sich an, um Ihre E-Mail-Adresse zu bestätigen.',
  'why-enrol': 'Melden Sie sich an, um Ihren zweiten Faktor einzurichten.',
  'why-security': 'Melden Sie sich an, um Ihre Sicherheitseinstellungen zu sehen.',
  'why-sessions': 'Melden Sie sich an, um Ihre Sitzungen zu sehen.',
  'why-settings': 'Melden Sie sich an, um Ihre Einstellungen zu sehen.',
  'why-data': 'Melden Sie sich an, um Ihre Daten zu sehen.',
  'why-delete': 'Melden Sie sich an, um Ihr Konto zu löschen.',

  'factor-text':
    'Ein zweiter Faktor ist eine Authenticator-App oder ein Passkey. Mit ihm reicht ein ' +
    'gestohlenes Passwort nicht zur Anmeldung.',
  'factor-first':
    'Wenn Sie Ihre erste App oder Ihren ersten Passkey einrichten, enden alle anderen Sitzungen.',
  'factor-roles': 'Ihre Rollen verlangen einen zweiten Faktor: {roles}.',
  'factor-needs-link':
    'Um eine App oder einen Passkey einzurichten, brauchen Sie einen Link, den wir an Ihre ' +
    'Adresse schicken.',
  'password-alone': 'Zur Anmeldung genügt Ihr Passwort allein.',
  'password-and-factor': 'Die Anmeldung mit dem Passwort verlangt auch einen zweiten Faktor.',
  'require-factor': 'Zweiten Faktor verlangen',
  'allow-password': 'Keinen zweiten Faktor mehr verlangen',
  'factor-passkey': '1 Passkey',
  'factor-passkeys': '{count} Passkeys',
  on: 'Ein',
  off: 'Aus',
  app: 'Authenticator-App',
  'app-since': 'Eingerichtet: {time}.',
  'app-none': 'Eine App auf Ihrem Telefon zeigt Codes für die Anmeldung.',
  'app-set-up': 'App einrichten',
  'app-replace': 'App ersetzen',
  'app-replace-text':
    'Ihre bisherige App gilt, bis Sie die neue mit einem Code bestätigen. Danach gilt nur noch ' +
    'die neue, und alle anderen Sitzungen enden.',
  'app-remove': 'App entfernen',
  'app-remove-text':
    'Codes der App gelten nicht mehr, und alle anderen Sitzungen enden. Richten Sie eine andere ' +
    'App oder einen Passkey ein, sonst genügt zur Anmeldung Ihr Passwort.',
  'app-remove-done': 'Die App ist entfernt.',
  'app-scan': 'Scannen Sie dieses Bild mit der App.',
  'app-image': 'QR-Code für die Authenticator-App',
  'app-open': 'App auf diesem Gerät öffnen',
  'app-secret': 'Oder tippen Sie diesen Schlüssel in die App:',
  'app-confirm': 'Diese App verwenden',
  'first-code': 'Die sechs Ziffern aus der App',
  codes: 'Wiederherstellungscodes',
  'codes-left':
    'Übrige Wiederherstellungscodes: {left}. Mit jedem melden Sie sich einmal ohne App oder ' +
    'Passkey an.',
  'codes-renew': 'Neue Wiederherstellungscodes erstellen',
  'codes-text':
    'Jeder dieser Codes gilt einmal anstelle Ihres zweiten Faktors. Bewahren Sie sie so auf, ' +
    'dass Sie sie auch ohne Ihr Telefon finden. Sie werden nicht noch einmal angezeigt, und alle ' +
    'früheren sind ungültig.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  'copy-failed':
    'Der Browser hat das Kopieren nicht erlaubt. Markieren und kopieren Sie den Text selbst.',
  print: 'Drucken',
  'codes-stored': 'Ich habe diese Codes gespeichert',
  'codes-leave': 'Ohne die Codes weitergehen?',
  'codes-leave-text':
    'Sie werden nicht noch einmal angezeigt. Ohne sie können Sie sich nicht anmelden, wenn Sie ' +
    'Ihren zweiten Faktor verlieren.',
  'codes-stay': 'Zurück zu den Codes',
  'codes-leave-action': 'Ohne sie weitergehen'
}
