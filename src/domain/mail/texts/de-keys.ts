import type { keys as englishKeys } from './en.ts'

export const keys: Record<keyof typeof englishKeys, string> = {
  'password-changed.keys':
    'Ein neues Passwort widerruft keine API-Schlüssel. Für das Konto gelten noch so viele: ' +
    '{count}. Prüfen Sie sie auf Ihrer Kontoseite und widerrufen Sie die, die Sie nicht kennen.',
  'password-changed.keys-ended':
    'API-Schlüssel, die jemand anderes erstellt haben kann, wurden damit widerrufen: {count}.',
  'password-changed.keys-left':
    'Diese API-Schlüssel gelten noch: {keys}. Wenn Sie einen davon nicht kennen, widerrufen Sie ' +
    'mit diesem Link alle.',
  'password-changed.end-keys': 'Alle API-Schlüssel widerrufen',
  'factors.keys-ended':
    'API-Schlüssel aus der Zeit davor gelten nicht mehr: {count}. Erstellen Sie neue, wo ' +
    'Programme welche brauchen.',
  'factors.keys-lowered':
    'Rollen, die einen zweiten Faktor verlangen, zählen für Ihre API-Schlüssel nicht mehr: ' +
    '{count}.',

  'key-created.subject': 'API-Schlüssel für Ihr Konto bei {product} erstellt',
  'key-created.body':
    'Für Ihr Konto bei {product} wurde ein API-Schlüssel erstellt. Ein Programm, das ihn hat, ' +
    'kann in Ihrem Namen handeln.',
  'key-created.which': 'Der Schlüssel: {key}.',
  'key-created.not-you':
    'Wenn Sie das nicht waren, widerrufen Sie den Schlüssel und ändern Sie jetzt Ihr Passwort. ' +
    'Ein neues Passwort allein widerruft den Schlüssel nicht.',
  'key-created.button': 'API-Schlüssel ansehen',

  'key-expiring.subject': 'Ein API-Schlüssel für {product} läuft bald ab',
  'key-expiring.body':
    'Ein API-Schlüssel bei {product} läuft bald ab. Programme, die ihn verwenden, funktionieren ' +
    'dann nicht mehr.',
  'key-expiring.own': 'Ihr Schlüssel {key} läuft am {time} ab.',
  'key-expiring.service': 'Der Schlüssel {key} des Dienstes {service} läuft am {time} ab.',
  'key-expiring.advice':
    'Wenn er noch gebraucht wird, erstellen Sie einen neuen, ersetzen Sie ihn dort, wo er ' +
    'verwendet wird, und widerrufen Sie dann den alten. Bis dahin gelten beide.'
}
