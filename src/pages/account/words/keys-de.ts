import type { keys as english } from './keys-en.ts'

export const keys: Record<keyof typeof english, string> = {
  keys: 'API-Schlüssel',
  'keys-text':
    'Mit einem API-Schlüssel kann ein Programm in Ihrem Namen handeln, mit Ihren Berechtigungen. ' +
    'Nur Sie sollten Ihre Schlüssel kennen.',
  'keys-none': 'Sie haben keine API-Schlüssel.',
  'key-create': 'API-Schlüssel erstellen',
  'key-name': 'Wofür der Schlüssel ist',
  'key-name-hint': 'Zum Beispiel „Nächtlicher Bericht“',
  'key-days': 'Tage, bis er abläuft',
  'key-days-hint': 'Höchstens 365; ohne Angabe 90',
  'key-created-text':
    'Speichern Sie den neuen Schlüssel jetzt: Er wird nur dieses eine Mal gezeigt.',
  'key-stored': 'Ich habe den Schlüssel gespeichert',
  'key-expires': 'läuft ab: {time}',
  'key-unused': 'nie verwendet',
  'key-revoke': 'Widerrufen',
  'key-revoke-title': '„{name}“ widerrufen?',
  'key-revoke-text':
    'Programme, die diesen Schlüssel verwenden, funktionieren sofort nicht mehr. Das kann nicht ' +
    'rückgängig gemacht werden.',
  'key-revoke-done': '„{name}“ ist widerrufen.',
  'end-keys': 'Alle API-Schlüssel beenden',
  'end-keys-text':
    'Alle API-Schlüssel des Kontos, an das die E-Mail ging, werden beendet. Programme, die einen ' +
    'davon verwenden, funktionieren sofort nicht mehr. Das kann nicht rückgängig gemacht werden.',
  'end-keys-again':
    'Oder melden Sie sich an: Auf der Seite zur Sicherheit können Sie API-Schlüssel einzeln ' +
    'widerrufen.',
  'end-keys-done': 'Alle API-Schlüssel sind beendet',
  'end-keys-done-text': 'Niemand kann sie mehr verwenden.'
}
