import type { deletion as english } from './deletion-en.ts'

export const deletion: Record<keyof typeof english, string> = {
  delete: 'Konto löschen',
  'delete-text':
    'Damit wird Ihr Konto mit allen Daten und Sitzungen gelöscht. Das lässt sich nicht ' +
    'rückgängig machen. Nur eine Aufzeichnung darüber, was mit Ihrem Konto geschehen ist, bleibt ' +
    'für begrenzte Zeit erhalten.',
  'delete-about': 'Die nächste Seite sagt, was wann gelöscht wird, und fragt noch einmal nach.',
  'delete-copy': 'Zuerst eine Kopie Ihrer Daten herunterladen',
  'delete-confirm': 'Geben Sie zur Bestätigung {email} ein',
  'delete-mismatch': 'Das ist nicht die Adresse Ihres Kontos.',
  deleted: 'Ihr Konto ist gelöscht',
  'deleted-text': 'Sie sind überall abgemeldet.',
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
    'Für das Konto, an dessen Adresse die E-Mail ging, ist die Löschung geplant. Wenn Sie es ' +
    'wiederherstellen, bleibt alles, wie es war, und seine API-Schlüssel funktionieren wieder.',
  'restore-other':
    'Sie sind bei einem anderen Konto angemeldet: {email}. Dieses bleibt, wie es ist.',
  'restore-incomplete':
    'Der Link ist unvollständig. Öffnen Sie ihn aus der E-Mail über die Löschung.',
  'restore-again':
    'Oder melden Sie sich an: Bis das Konto endgültig gelöscht wird, können Sie es dort ' +
    'wiederherstellen.',
  'restore-action': 'Konto wiederherstellen',
  'restore-done': 'Ihr Konto ist wiederhergestellt',
  'restore-done-text': 'Sie können sich wieder bei ihm anmelden.'
}
