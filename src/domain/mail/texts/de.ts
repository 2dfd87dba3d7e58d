import { keys } from './de-keys.ts'
import type { Dictionary, deletion as englishDeletion } from './en.ts'

const deletion: Record<keyof typeof englishDeletion, string> = {
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
    'Das Konto wird am {time} oder kurz danach gelöscht. Bis dahin können Sie es ' +
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

export const de: Dictionary = {
  'common.hello': 'Guten Tag!',
  'common.hello-name': 'Guten Tag, {name}!',
  'common.footer': 'Sie erhalten diese E-Mail, weil {address} bei {product} verwendet wird.',
  'common.expiry': 'Der Link ist bis zum {time} gültig.',

  'fact.time': 'Zeitpunkt',
  'fact.browser': 'Browser',
  'fact.address': 'Netzwerkadresse',

  'factor.totp': 'Authenticator-App',
  'factor.passkey': 'Passkeys',
  'factor.provider': 'Konto bei {provider}',
  'factor.recovery-code': 'Wiederherstellungscodes',

  'confirm.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  'confirm.body':
    'Mit dieser E-Mail-Adresse hat sich jemand bei {product} registriert. Wenn Sie das waren, ' +
    'bestätigen Sie die Adresse mit dem Passwort, das Sie gewählt haben.',
  'confirm.body-provider':
    'Mit dieser E-Mail-Adresse und einem Konto bei einem anderen Anbieter hat sich jemand bei ' +
    '{product} registriert oder angemeldet. Wenn Sie das waren, öffnen Sie den Link und melden ' +
    'Sie sich noch einmal mit demselben Konto an.',
  'confirm.button': 'Adresse bestätigen',
  'confirm.ignore':
    'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Solange die Adresse nicht hier ' +
    'bestätigt wird, kann sich niemand damit anmelden.',

  'already-registered.subject': 'Sie haben bereits ein Konto bei {product}',
  'already-registered.body':
    'Jemand wollte sich mit dieser E-Mail-Adresse bei {product} registrieren, aber Sie haben ' +
    'dort bereits ein Konto. Sie können sich mit Ihrem Passwort anmelden.',
  'already-registered.sign-in': 'Anmelden',
  'already-registered.forgot':
    'Wenn Sie Ihr Passwort vergessen haben, können Sie ein neues wählen.',
  'already-registered.reset': 'Neues Passwort wählen',
  'already-registered.ignore':
    'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. An Ihrem Konto hat sich nichts ' +
    'geändert.',

  'address-kept.subject': 'Diese Adresse ist bei {product} noch nicht frei',
  'address-kept.body':
    'Jemand wollte sich bei {product} mit dieser E-Mail-Adresse registrieren. Bis vor Kurzem ' +
    'gehörte sie zu einem anderen Konto, und ein Link kann sie dort noch wiederherstellen.',
  'address-kept.until': 'Für ein neues Konto ist die Adresse ab dem {time} frei.',
  'address-kept.owner':
    'Wenn dieses Konto Ihres ist und Sie die Adresse nicht geändert haben, öffnen Sie die ' +
    'Nachricht über die Änderung und holen Sie sich Ihr Konto zurück.',

  'invitation.subject': 'Ihr Konto bei {product}',
  'invitation.body':
    'Bei {product} wurde ein Konto für Sie angelegt. Wählen Sie ein Passwort, um es zu nutzen.',
  'invitation.button': 'Passwort wählen',

  'scope-invitation.subject': 'Einladung zu {product}',
  'scope-invitation.body':
    '{inviter} lädt Sie zu {product} ein, mit der Rolle {role}. Melden Sie sich mit dieser ' +
    'E-Mail-Adresse an oder legen Sie ein Konto an, um die Einladung anzunehmen.',
  'scope-invitation.button': 'Einladung ansehen',
  'scope-invitation.ignore':
    'Wenn Sie {inviter} nicht kennen, können Sie diese Nachricht ignorieren.',

  'recovery.subject': 'Wählen Sie ein neues Passwort für {product}',
  'recovery.body':
    'Für Ihr Konto bei {product} wurde ein neues Passwort angefordert. Wenn Sie das waren, ' +
    'wählen Sie es jetzt. Sie werden dabei überall abgemeldet.',
  'recovery.button': 'Neues Passwort wählen',
  'recovery.ignore':
    'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Ihr Passwort hat sich nicht ' +
    'geändert.',

  'email-change.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse für {product}',
  'email-change.body':
    'Sie möchten diese E-Mail-Adresse für Ihr Konto bei {product} verwenden. Bestätigen Sie sie, ' +
    'während Sie angemeldet sind.',
  'email-change.button': 'Neue Adresse bestätigen',
  'email-change.ignore':
    'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Ohne Bestätigung wird die Adresse ' +
    'nicht verwendet.',

  'email-verify.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  'email-verify.body':
    'Bitte bestätigen Sie, dass dies die E-Mail-Adresse Ihres Kontos bei {product} ist. Öffnen ' +
    'Sie den Link, während Sie angemeldet sind.',
  'email-verify.button': 'Adresse bestätigen',
  'email-verify.ignore': 'Wenn Sie dort kein Konto haben, ignorieren Sie diese Nachricht.',

  'email-changed.subject': 'Die E-Mail-Adresse Ihres Kontos bei {product} wurde geändert',
  'email-changed.body':
    'Die E-Mail-Adresse Ihres Kontos bei {product} wurde geändert. Diese alte Adresse gehört ' +
    'nicht mehr dazu.',
  'email-changed.revert':
    'Wenn Sie das nicht waren, holen Sie sich Ihr Konto zurück: Stellen Sie diese Adresse wieder ' +
    'her und wählen Sie ein neues Passwort. Alle anderen werden dabei abgemeldet, und was ' +
    'sie zur Anmeldung hinzugefügt haben, wird entfernt.',
  'email-changed.button': 'Diese Adresse wiederherstellen',
  'email-changed.not-you':
    'Wenn Sie das nicht erwartet haben, wenden Sie sich an die Betreiber von {product}.',
  'email-changed.ignore': 'Wenn Sie das waren, brauchen Sie nichts zu tun.',

  'password-changed.subject': 'Das Passwort Ihres Kontos bei {product} wurde geändert',
  'password-changed.body': 'Das Passwort Ihres Kontos bei {product} wurde geändert.',
  'password-changed.removed': 'Dabei wurden diese Anmeldewege entfernt: {factors}.',
  'password-changed.left':
    'Diese Anmeldewege gibt es noch: {factors}. Wenn Sie einen davon nicht kennen, entfernen Sie ' +
    'ihn.',
  'password-changed.revert':
    'Einige Anmeldewege hat in den letzten drei Tagen jemand hinzugefügt, der nur das Passwort ' +
    'hatte. ' +
    'Wenn Sie das nicht waren, verwenden Sie diesen Link: Damit werden sie entfernt, Sie wählen ' +
    'ein neues Passwort, und alle werden abgemeldet.',
  'password-changed.not-you':
    'Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort. Alle werden dabei abgemeldet.',
  'password-changed.button': 'Neues Passwort wählen',

  'new-device.subject': 'Neue Anmeldung bei Ihrem Konto bei {product}',
  'new-device.body':
    'Bei Ihrem Konto bei {product} hat sich jemand mit einem Browser angemeldet, der dort bisher ' +
    'nicht verwendet wurde.',
  'new-device.password': 'Dazu wurde das Passwort verwendet.',
  'new-device.passkey': 'Dazu wurde ein Passkey verwendet.',
  'new-device.provider': 'Dazu wurde ein Konto bei {provider} verwendet.',
  'new-device.password-not-you':
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort. Damit enden alle anderen ' +
    'Sitzungen. Sie finden sie auf Ihrer Kontoseite.',
  'new-device.passkey-not-you':
    'Wenn Sie das nicht waren, entfernen Sie jeden Passkey, den Sie nicht kennen. Damit enden ' +
    'alle anderen Sitzungen. Ein neues Passwort allein hält niemanden fern, der einen Passkey hat.',
  'new-device.provider-not-you':
    'Wenn Sie das nicht waren, trennen Sie das Konto bei {provider}. Damit enden die Sitzungen, ' +
    'die damit begonnen haben. Wenn das Konto dort Ihres ist, sichern Sie es dort. Ein neues ' +
    'Passwort allein hält niemanden fern, der dieses Konto verwenden kann.',
  'new-device.not-you':
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie, wie Sie sich ' +
    'anmelden. Mit dem neuen Passwort enden alle anderen Sitzungen.',
  'new-device.button': 'Sitzungen ansehen',
  ...deletion,

  'factors.not-you':
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie, wie Sie sich ' +
    'anmelden. Mit dem neuen Passwort werden alle anderen abgemeldet.',
  'factors.not-you-link':
    'Wenn Sie das nicht waren, verwenden Sie diesen Link: Damit wird entfernt, was hinzugefügt ' +
    'wurde, Sie wählen ein neues Passwort, und alle werden abgemeldet. Ein neues Passwort allein ' +
    'würde es nicht entfernen.',
  'factors.revert': 'Das war ich nicht',
  'factors.button': 'Anmeldung prüfen',

  'factor-enrolment.subject': 'Zweiten Faktor für {product} einrichten',
  'factor-enrolment.body':
    'Ihre Rollen bei {product} verlangen einen zweiten Faktor. Öffnen Sie den Link, während Sie ' +
    'angemeldet sind, und richten Sie eine Authenticator-App oder einen Passkey ein.',
  'factor-enrolment.button': 'Zweiten Faktor einrichten',
  'factor-enrolment.ignore':
    'Wenn Sie das nicht angefordert haben, kennt vielleicht jemand Ihr Passwort: Ändern Sie es.',

  'second-factor-added.subject': 'Zweiter Faktor für Ihr Konto bei {product} eingerichtet',
  'second-factor-added.body':
    'Für Ihr Konto bei {product} wurde eine Authenticator-App eingerichtet. Für die Anmeldung ' +
    'mit dem Passwort ist ab jetzt auch ein Code nötig.',

  'second-factor-removed.subject': 'Zweiter Faktor von Ihrem Konto bei {product} entfernt',
  'second-factor-removed.body':
    'Ein zweiter Faktor wurde von Ihrem Konto bei {product} entfernt oder ist für die Anmeldung ' +
    'nicht mehr nötig.',

  'second-factor-guessed.subject': 'Jemand kennt das Passwort Ihres Kontos bei {product}',
  'second-factor-guessed.body':
    'Jemand hat das richtige Passwort Ihres Kontos bei {product} und danach viele falsche ' +
    'Codes eingegeben. Der zweite Faktor hat Ihr Konto geschützt.',
  'second-factor-guessed.advice': 'Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort.',

  'second-factor-required.subject': 'Ihr Konto bei {product} verlangt jetzt einen zweiten Faktor',
  'second-factor-required.body':
    'Für die Anmeldung mit dem Passwort bei {product} ist ab jetzt auch ein zweiter Faktor nötig.',

  'recovery-codes-renewed.subject': 'Neue Wiederherstellungscodes für Ihr Konto bei {product}',
  'recovery-codes-renewed.body':
    'Für Ihr Konto bei {product} wurden neue Wiederherstellungscodes erstellt. Alle früheren ' +
    'sind ungültig.',

  'sign-in-unfinished.subject': 'Anmeldung bei Ihrem Konto bei {product} nicht abgeschlossen',
  'sign-in-unfinished.body':
    'Jemand hat in einem Browser, der mit Ihrem Konto bei {product} noch nicht verwendet wurde, ' +
    'das richtige Passwort eingegeben oder sich mit einem verknüpften Konto angemeldet, aber ' +
    'nicht den zweiten Faktor eingegeben.',
  'sign-in-unfinished.advice':
    'Wenn Sie das nicht waren, kennt jemand Ihr Passwort oder benutzt Ihr Konto bei einem ' +
    'Anbieter: Wählen Sie jetzt ein neues Passwort, und heben Sie fremde Verknüpfungen auf.',

  'passkey-added.subject': 'Passkey zu Ihrem Konto bei {product} hinzugefügt',
  'passkey-added.body':
    'Zu Ihrem Konto bei {product} wurde ein Passkey hinzugefügt. Damit kann man sich ohne ' +
    'Passwort anmelden.',

  'passkey-removed.subject': 'Passkey von Ihrem Konto bei {product} entfernt',
  'passkey-removed.body':
    'Von Ihrem Konto bei {product} wurde ein Passkey entfernt. Damit kann sich niemand mehr ' +
    'anmelden.',

  'passkey-copied.subject': 'Ein Passkey Ihres Kontos bei {product} wurde vielleicht kopiert',
  'passkey-copied.body':
    'Eine Anmeldung bei Ihrem Konto bei {product} wurde abgelehnt, weil dabei vielleicht eine ' +
    'Kopie Ihres Passkeys verwendet wurde.',
  'passkey-copied.advice':
    'Wenn Sie das Gerät nicht aus einer Sicherung wiederhergestellt haben, melden Sie sich ' +
    'auf anderem Weg an und entfernen Sie den Passkey. Wenn Sie sich nicht anmelden können, ' +
    'wählen Sie ein neues Passwort.',

  'recovery-code-used.subject': 'Wiederherstellungscode Ihres Kontos bei {product} verwendet',
  'recovery-code-used.body':
    'Jemand hat sich mit einem Wiederherstellungscode bei Ihrem Konto bei {product} angemeldet.',
  'recovery-code-used.left': 'Übrige Wiederherstellungscodes: {left}.',

  'export-made.subject': 'Die Daten Ihres Kontos bei {product} wurden heruntergeladen',
  'export-made.body':
    'Jemand, der als Sie angemeldet ist, hat eine Datei mit dem heruntergeladen, was {product} ' +
    'über Sie speichert.',
  'export-made.advice':
    'Wenn Sie das nicht waren, hat jemand Zugang zu Ihrem Konto. Wählen Sie jetzt ein neues ' +
    'Passwort. Damit werden alle abgemeldet.',

  ...keys,

  'provider-linked.subject': 'Konto mit Ihrem Konto bei {product} verknüpft',
  'provider-linked.body':
    'Ein Konto bei {provider} wurde mit Ihrem Konto bei {product} verknüpft. Damit kann man sich ' +
    'ohne Passwort anmelden.',

  'provider-unlinked.subject': 'Konto von Ihrem Konto bei {product} getrennt',
  'provider-unlinked.body':
    'Ein Konto bei {provider} wurde von Ihrem Konto bei {product} getrennt. Damit kann sich ' +
    'niemand mehr anmelden.',

  'test.subject': 'Testnachricht von {product}',
  'test.body':
    'Dies ist eine Testnachricht. Wenn Sie sie lesen können, kann {product} E-Mails an diese ' +
    'Adresse schicken.'
}
