import type { deletion as english } from './deletion-en.ts'

export const deletion: Record<keyof typeof english, string> = {
  'account-deleted.subject': 'Ihr Konto bei {product} wurde gelöscht',
  'account-deleted.body': 'Ihr Konto bei {product} und alle seine Sitzungen wurden gelöscht.',
  'account-deleted.not-you':
    'Wenn Sie das nicht waren, wenden Sie sich an die Betreiber von {product}. Über diese ' +
    'Nachricht lässt sich das Konto nicht wiederherstellen.',

  'deletion-planned.subject': 'Ihr Konto bei {product} wird gelöscht',
  'deletion-planned.body':
    'Jemand, der als Sie angemeldet ist, möchte Ihr Konto bei {product} löschen. Sie sind ' +
    'überall abgemeldet, und Ihre API-Schlüssel funktionieren nicht.',
  'deletion-planned.when':
    'Das Konto wird nach dem Zeitpunkt {time} gelöscht. Bis dahin können Sie es ' +
    'wiederherstellen: Melden Sie sich an wie sonst, oder verwenden Sie diesen Link.',
  'deletion-planned.button': 'Konto wiederherstellen',
  'deletion-planned.not-you':
    'Wenn Sie das nicht waren, stellen Sie das Konto wieder her und wählen Sie dann ein neues ' +
    'Passwort.',

  'deletion-cancelled.subject': 'Ihr Konto bei {product} ist wiederhergestellt',
  'deletion-cancelled.body':
    'Ihr Konto bei {product} wird nicht gelöscht. Sie können sich anmelden wie zuvor, und Ihre ' +
    'API-Schlüssel funktionieren wieder.',
  'deletion-cancelled.not-you': 'Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort.',
  'deletion-cancelled.last-admin':
    'Das Konto sollte gelöscht werden, aber dann hätte {product} keine Verwaltung mehr. Geben ' +
    'Sie zuerst jemand anderem die Rolle admin.'
}
