import { common } from '../../../client/words/common-de.ts'
import type { Translation } from '../say.ts'
import type { en } from './en.ts'

export const de: Translation<keyof typeof en> = {
  ...common,
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  code: 'Code aus Ihrer Authenticator-App',
  'recovery-code': 'Wiederherstellungscode',
  'use-recovery-code': 'Wiederherstellungscode verwenden',
  'use-code': 'Authenticator-App verwenden',
  'use-password': 'Passwort verwenden',
  'sign-in': 'Anmelden',
  'sign-in-passkey': 'Mit Passkey anmelden',
  'sign-in-with': 'Mit {name} anmelden',
  or: 'oder',
  'second-factor': 'Zweiter Faktor',
  'deletion-pending': 'Ihr Konto wird gelöscht',
  'deletion-pending-text':
    'Sie haben die Löschung Ihres Kontos beantragt. Es wird nach dem Zeitpunkt {time} gelöscht. ' +
    'Um es zu verwenden, stellen Sie es wieder her.',
  'restore-sign-in': 'Konto wiederherstellen und anmelden',
  continue: 'Weiter',
  cancel: 'Abbrechen',
  back: 'Zurück',
  loading: 'Wird geladen …',
  'just-now': 'gerade eben',
  'try-again': 'Erneut versuchen',
  'field-missing': 'Füllen Sie dieses Feld aus.',
  'field-email': 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  'field-url': 'Geben Sie eine Adresse ein, die mit https:// beginnt.',
  'field-short': 'Verwenden Sie mindestens {least} Zeichen.',
  'field-long': 'Verwenden Sie höchstens {most} Zeichen.',
  'field-malformed': 'Das hat nicht die richtige Form.',
  'setting-none': 'Nicht gesetzt',
  'setting-lines': 'Je Zeile einer.',
  yes: 'Ja',
  no: 'Nein',
  'load-again': 'Neu laden',
  discard: 'Eingaben verwerfen?',
  'discard-text': 'Sie sind noch nicht gespeichert.',
  'discard-no': 'Behalten',
  'discard-yes': 'Verwerfen',
  broken: 'Diese Seite kann nicht angezeigt werden',
  'broken-text': 'Ein unerwarteter Fehler ist aufgetreten. Er hat nichts verändert.',
  'broken-request': 'Letzte Anfrage:',
  reload: 'Neu laden',
  'session-ended': 'Ihre Sitzung ist beendet',
  'session-ended-text': 'Melden Sie sich erneut an. Ihre Eingaben bleiben auf der Seite erhalten.',
  prove: 'Bestätigen Sie, dass Sie es sind',
  'prove-text': 'Für diese Änderung müssen Sie sich vor Kurzem angemeldet haben.',
  'prove-passkey': 'Passkey verwenden',
  'prove-with': 'Erneut mit {name} anmelden',
  'prove-elsewhere':
    'Die Anmeldung bei einem Anbieter führt von dieser Seite weg und wieder zurück. Wiederholen ' +
    'Sie danach die Änderung: Ihre Eingaben gehen verloren.',
  'factor-unusable':
    'Ihr zweiter Faktor kann hier nicht mehr verwendet werden. Bitten Sie die Betreiber, ihn ' +
    'zurückzusetzen.',
  'prove-nothing': 'Melden Sie sich ab und wieder an, um zu bestätigen, dass Sie es sind.',
  'provider-failed': 'Die Anmeldung beim Anbieter ist nicht gelungen. Versuchen Sie es erneut.'
}
