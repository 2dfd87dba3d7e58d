import type { deletion as english } from './deletion-en.ts'

export const deletion: Record<keyof typeof english, string> = {
  delete: 'Konto löschen',
  'delete-text':
    'Damit wird Ihr Konto mit allen Daten und Sitzungen gelöscht. Das lässt sich nicht ' +
    'rückgängig machen. Einträge des Protokolls bleiben, bis ihre Aufbewahrungsfrist endet.',
  'delete-confirm': 'Geben Sie zur Bestätigung {email} ein',
  'delete-mismatch': 'Das ist nicht die Adresse Ihres Kontos.',
  deleted: 'Ihr Konto ist gelöscht',
  'deleted-text': 'Alle seine Sitzungen sind beendet.',
  'delete-plan-text':
    'Sie werden überall abgemeldet, und Ihre API-Schlüssel funktionieren nicht mehr. In {days} ' +
    'Tagen wird das Konto mit allen Daten gelöscht. Bis dahin können Sie es wiederherstellen: ' +
    'Melden Sie sich an, oder verwenden Sie den Link in der E-Mail, die Sie erhalten.',
  'deletion-planned': 'Ihr Konto wird gelöscht',
  'deletion-planned-text':
    'Es wird nach dem Zeitpunkt {time} gelöscht. Bis dahin können Sie sich anmelden, um es ' +
    'wiederherzustellen.',
  restore: 'Konto wiederherstellen',
  'restore-text':
    'Sie möchten Ihr Konto löschen. Wenn Sie es wiederherstellen, wird es nicht gelöscht: Sie ' +
    'können sich anmelden wie zuvor, und Ihre API-Schlüssel funktionieren wieder.',
  'restore-action': 'Konto wiederherstellen',
  'restore-done': 'Ihr Konto ist wiederhergestellt',
  'restore-done-text': 'Melden Sie sich an wie zuvor.'
}
