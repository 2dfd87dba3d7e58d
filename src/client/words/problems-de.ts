import type { FieldWords, ProblemWords } from './known-problem-codes.ts'

const unreadable =
  'Die Anfrage war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es erneut.'

export const problems: ProblemWords & FieldWords = {
  'problem.body-too-large': 'Ihre Eingaben sind zu lang. Kürzen Sie sie.',
  'problem.cross-site': 'Die Anfrage kam von einer anderen Website. Öffnen Sie diese Seite erneut.',
  'problem.database-unavailable':
    'Das Portal kann seine Daten nicht nutzen. Bestätigte Änderungen sind sicher.',
  'problem.deletion-pending':
    'Sie möchten dieses Konto löschen. Bis es gelöscht ist, können Sie es wiederherstellen und ' +
    'sich wieder anmelden.',
  'problem.deletion-waits':
    'Die E-Mail-Adresse wurde vor Kurzem geändert, und wer sie vorher hatte, kann das Konto noch ' +
    'zurückholen. Bis dahin kann es nicht gelöscht werden.',
  'problem.email-taken':
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an, oder verwenden Sie ' +
    'eine andere Adresse.',
  'problem.email-unverified':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse, mit dem neuesten Link, den Sie bekommen haben. ' +
    'Wenn Sie keinen haben, versuchen Sie es später noch einmal. Wenn Sie angemeldet sind, ' +
    'bekommen Sie einen unter „Sicherheit“: „Link zur Bestätigung schicken“.',
  'problem.email-verified': 'Ihre E-Mail-Adresse ist bereits bestätigt.',
  'problem.enrolment-link-not-needed':
    'Sie brauchen keinen Link, um einen zweiten Faktor einzurichten.',
  'problem.enrolment-link-waits':
    'Sie haben vor Kurzem mit einem Link aus einer E-Mail ein neues Passwort gewählt. Bitten Sie ' +
    'einen Administrator um den Link.',
  'problem.enrolment-not-begun':
    'Diese Einrichtung der App gilt nicht mehr. Beginnen Sie von vorn.',
  'problem.enrolment-token-required':
    'Ihre Rollen verlangen einen zweiten Faktor, und für den ersten brauchen Sie einen Link. ' +
    'Fordern Sie ihn per E-Mail an, oder fragen Sie einen Administrator.',
  'problem.exceeds-own-permissions':
    'Ein Schlüssel kann keine Berechtigung haben, die Sie selbst nicht haben.',
  'problem.expectation-failed': unreadable,
  'problem.headers-too-large':
    'Der Browser hat zu viele Cookies geschickt. Löschen Sie die dieser Website, und versuchen ' +
    'Sie es erneut.',
  'problem.host-not-allowed':
    'Das Portal hat eine andere Adresse. Fragen Sie einen Administrator danach.',
  'problem.http-version': unreadable,
  'problem.internal-error': 'Etwas ist schiefgegangen. Versuchen Sie es später erneut.',
  'problem.invalid-code':
    'Der Code ist falsch oder wurde schon verwendet. Prüfen Sie ihn, oder verwenden Sie einen ' +
    'anderen.',
  'problem.invalid-credentials': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'problem.invalid-cursor': 'Die Liste hat sich geändert. Laden Sie die Seite neu.',
  'problem.invalid-passkey': 'Der Passkey konnte nicht hinzugefügt werden. Beginnen Sie von vorn.',
  'problem.invalid-request': 'Prüfen Sie Ihre Eingaben.',
  'problem.invalid-token': 'Der Link wurde schon verwendet, ist abgelaufen oder unvollständig.',
  'problem.key-not-found': 'Diesen API-Schlüssel gibt es nicht, oder er wurde schon widerrufen.',
  'problem.last-admin':
    'Ohne Ihr Konto könnte niemand das Portal verwalten. Zuerst muss jemand anderes ' +
    'Administrator werden.',
  'problem.last-sign-in-method':
    'Anders können Sie sich nicht anmelden. Legen Sie zuerst ein Passwort fest, oder fügen Sie ' +
    'einen Passkey hinzu.',
  'problem.last-second-factor':
    'Das ist Ihr letzter zweiter Faktor, und einer ist nötig. Richten Sie zuerst einen anderen ' +
    'ein, oder erlauben Sie die Anmeldung mit dem Passwort allein.',
  'problem.login-expired': 'Die Anmeldung ist abgelaufen. Geben Sie das Passwort erneut ein.',
  'problem.mail-off':
    'Das Portal verschickt keine E-Mails. Bitten Sie einen Administrator um einen Link.',
  'problem.managed-by-provider':
    'Ihre Organisation verwaltet diese Adresse. Das können nur ihre Administratoren ändern.',
  'problem.malformed-json': unreadable,
  'problem.malformed-request': unreadable,
  'problem.no-second-factor': 'Richten Sie zuerst einen zweiten Faktor ein.',
  'problem.other-user':
    'In diesem Browser hat sich inzwischen jemand anderes angemeldet, deshalb wurde nichts ' +
    'geändert. Laden Sie die Seite neu.',
  'problem.overloaded': 'Das Portal ist überlastet.',
  'problem.passkey-exists':
    'Dieser Passkey gehört bereits zu einem Konto. Erstellen Sie einen anderen.',
  'problem.passkey-not-found': 'Sie haben diesen Passkey nicht mehr. Laden Sie die Seite neu.',
  'problem.passkey-refused': 'Der Passkey wurde nicht angenommen. Melden Sie sich anders an.',
  'problem.permission-denied': 'Das dürfen Sie nicht. Fragen Sie einen Administrator.',
  'problem.precondition-failed':
    'Das wurde inzwischen geändert. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'problem.provider-account-not-found':
    'Dieses Konto ist nicht mehr mit Ihrem verknüpft. Laden Sie die Seite neu.',
  'problem.rate-limited': 'Das waren zu viele Versuche.',
  'problem.reauthentication-required':
    'Nichts wurde geändert: Bestätigen Sie zuerst, dass Sie es sind.',
  'problem.registration-closed': 'Nur Administratoren können Konten anlegen.',
  'problem.request-timeout': 'Die Verbindung ist zu langsam. Versuchen Sie es erneut.',
  'problem.second-factor-required':
    'Ihre Rollen verlangen einen zweiten Faktor. Sie können ihn ersetzen, aber nicht abschalten.',
  'problem.second-factor-unreadable':
    'Codes der App können nicht geprüft werden. Verwenden Sie einen Passkey oder einen ' +
    'Wiederherstellungscode, oder fragen Sie einen Administrator.',
  'problem.session-not-found': 'Diese Sitzung ist bereits beendet. Laden Sie die Seite neu.',
  'problem.settings-off': 'Die App hat hier keine Einstellungen.',
  'problem.too-many-keys':
    'Sie haben bereits 50 API-Schlüssel. Widerrufen Sie zuerst einen, den Sie nicht mehr brauchen.',
  'problem.too-many-passkeys':
    'Sie können keinen weiteren Passkey hinzufügen. Entfernen Sie zuerst einen.',
  'problem.unauthenticated':
    'Ihre Sitzung ist beendet. Melden Sie sich an, und versuchen Sie es erneut.',
  'problem.unknown-passkey':
    'Dieser Passkey wurde von seinem Konto entfernt. Melden Sie sich anders an, und löschen Sie ' +
    'ihn von Ihrem Gerät.',
  'problem.unknown-provider': 'Mit diesem Anbieter können Sie sich hier nicht mehr anmelden.',
  'problem.unsupported-media-type': unreadable,
  'problem.uri-too-long': 'Die Adresse ist zu lang. Öffnen Sie diese Seite erneut.',
  'problem.wrong-code':
    'Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.',
  'problem.wrong-passkey':
    'Dieser Passkey gehört zu einem anderen Konto, oder es dauerte zu lange.',
  'problem.wrong-password': 'Das aktuelle Passwort ist falsch. Nichts wurde geändert.',

  'field.empty': 'Ändern Sie zuerst etwas.',
  'field.invalid': 'Das ist nicht gültig.',
  'field.invalid-characters': 'Das enthält Zeichen, die nicht erlaubt sind.',
  'field.invalid-email': 'Das ist keine E-Mail-Adresse.',
  'field.invalid-locale': 'Das ist keine Sprache wie de oder de-AT.',
  'field.invalid-time-zone': 'Das ist keine Zeitzone wie Europe/Vienna.',
  'field.invalid-url': 'Das ist keine Adresse, die mit https:// beginnt.',
  'field.invalid-value': 'Das kann nicht gespeichert werden.',
  'field.malformed': 'Das hat nicht die richtige Form.',
  'field.not-allowed': 'Wählen Sie einen der möglichen Werte.',
  'field.out-of-range': 'Diese Zahl ist zu klein oder zu groß.',
  'field.repeated': 'Das kommt doppelt vor.',
  'field.required': 'Das fehlt.',
  'field.too-guessable':
    'Dieses Passwort ist leicht zu erraten. Wählen Sie ein längeres oder ungewöhnlicheres.',
  'field.too-long': 'Das ist zu lang.',
  'field.too-many': 'Das sind zu viele.',
  'field.too-short': 'Das ist zu kurz.',
  'field.unknown-audience': 'Dieser Dienst ist unbekannt.',
  'field.unknown-permission': 'Diese Berechtigung ist unbekannt.',
  'field.unknown-property': 'Dieses Feld ist unbekannt.',
  'field.already-used': 'Ein anderer Benutzer hat diese Kennung oder dieses Konto.',
  'field.unknown-issuer': 'Dieser Anbieter ist nicht eingerichtet.',
  'field.unknown-hash': 'Diese Form eines Passwort-Hashs ist unbekannt.',
  'field.unsafe-hash': 'Dieser Passwort-Hash ist nicht sicher.',
  'field.unknown-role': 'Diese Rolle ist unbekannt.',
  'field.unknown-segment': 'Dieses Segment gibt es nicht.',
  'field.unknown-setting': 'Diese Einstellung gibt es nicht.',
  'field.unknown-variant': 'Diese Variante ist unbekannt.',
  'field.wrong-sum': 'Die Summe stimmt nicht.',
  'field.wrong-type': 'Das hat nicht die richtige Form.'
}
