import { problems } from '../../../client/words/problems-de.ts'
import type { Translation } from '../../shared/say.ts'
import { de as shared } from '../../shared/words/de.ts'
import { actions, factors } from './actions-de.ts'
import type { en, deletion as englishDeletion, keys as englishKeys } from './en.ts'

const keys: Record<keyof typeof englishKeys, string> = {
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

const deletion: Record<keyof typeof englishDeletion, string> = {
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

export const de: Translation<keyof typeof en> = {
  ...shared,
  ...problems,
  ...actions,
  ...keys,
  ...factors,
  ...deletion,
  'not-found': 'Seite nicht gefunden',
  'not-found-text': 'Unter dieser Adresse gibt es keine Seite.',
  menu: 'Konto',
  'signed-in-as': 'Sie sind als {email} angemeldet.',
  'sign-out': 'Abmelden',
  'back-to': 'Zurück zu {product}',
  'your-account': 'Ihr Konto',
  saved: 'Gespeichert.',
  save: 'Speichern',
  'save-name': 'Namen speichern',
  'save-theme': 'Darstellung speichern',
  'save-profile': 'Profil speichern',
  remove: 'Entfernen',
  more: 'Mehr anzeigen',
  'suspended-roles':
    'Einige Ihrer Rollen gelten nur mit einem zweiten Faktor: {roles}. Richten Sie einen ein, ' +
    'oder melden Sie sich damit an.',

  'sign-in-to': 'Bei {product} anmelden',
  'to-sign-in': 'Anmelden',
  'to-register': 'Konto anlegen',
  'to-forgot': 'Passwort vergessen?',
  'to-account': 'Zurück zu Ihrem Konto',
  'have-account': 'Haben Sie schon ein Konto?',

  register: 'Konto anlegen',
  'register-at': 'Konto bei {product} anlegen',
  name: 'Name',
  'new-password': 'Neues Passwort',
  'password-hint': 'Mindestens {length} Zeichen.',
  'mail-sent': 'Lesen Sie Ihre E-Mail',
  'registered-text':
    'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um die Adresse zu bestätigen. ' +
    'Wenn in einigen Minuten nichts ankommt, sehen Sie im Ordner für Spam nach.',

  confirm: 'E-Mail-Adresse bestätigen',
  'confirm-text': 'Geben Sie das Passwort ein, das Sie für das neue Konto gewählt haben.',
  'confirm-other':
    'Sie sind als {email} angemeldet. Mit der Bestätigung werden Sie stattdessen beim neuen ' +
    'Konto angemeldet.',
  'other-account':
    'Sie sind als {email} angemeldet. Der Link kann zu einem anderen Konto gehören: Dann bleibt ' +
    'Ihres, wie es ist.',
  'password-of-new': 'Passwort des neuen Kontos',
  'confirm-provider-text':
    'Melden Sie sich noch einmal mit demselben Konto beim Anbieter an, um hier Ihr Konto ' +
    'anzulegen.',
  'confirm-address': 'Adresse bestätigen',
  'confirm-again': 'Für einen neuen Link legen Sie das Konto noch einmal an.',
  'confirm-email-text':
    'Damit bestätigen Sie die Adresse, an die die E-Mail ging. Ihr Konto hat die Adresse {email}.',
  'confirm-new-text':
    'Die Adresse, unter der Sie die E-Mail bekommen haben, ersetzt {email} in Ihrem Konto.',
  'email-confirmed': 'E-Mail-Adresse bestätigt',
  'email-unconfirmed': 'E-Mail-Adresse nicht bestätigt',
  'email-confirmed-text': 'Die Adresse Ihres Kontos ist {email}.',
  'link-incomplete-notice':
    'Der Link ist unvollständig. Öffnen Sie ihn aus der E-Mail, die von der Änderung berichtet. ' +
    'Wenn Sie die E-Mail nicht mehr haben, melden Sie sich an und ändern Sie Ihr Passwort.',
  'link-incomplete':
    'Der Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie ' +
    'ihn ganz.',

  forgot: 'Passwort vergessen',
  'forgot-text': 'Sie bekommen per E-Mail einen Link, mit dem Sie ein neues Passwort wählen.',
  'send-link': 'Link schicken',
  'forgot-sent':
    'Wenn es ein Konto mit der Adresse {email} gibt, haben wir einen Link dorthin geschickt. Er ' +
    'gilt 30 Minuten. Wenn in einigen Minuten nichts ankommt, sehen Sie im Ordner für Spam nach.',
  reset: 'Neues Passwort wählen',
  'reset-text':
    'Der Link setzt das Passwort des Kontos, für das er verschickt wurde, und beendet alle seine ' +
    'Sitzungen.',
  'set-password': 'Passwort setzen',
  'reset-done': 'Das Passwort ist gesetzt',
  'reset-done-text': 'Alle Sitzungen sind beendet. Melden Sie sich mit dem neuen Passwort an.',
  'new-link': 'Neuen Link anfordern',
  revert: 'Konto zurückholen',
  'revert-text':
    'Tun Sie das nur, wenn die Änderung, um die es in der E-Mail geht, nicht von Ihnen ist. ' +
    'Wenn Sie fortfahren:',
  'revert-address':
    'Die Adresse, die diese E-Mail bekommen hat, ist wieder die Adresse des Kontos.',
  'revert-factor':
    'Was die E-Mail nennt, wird vom Konto entfernt: der Passkey, die Authenticator-App oder die ' +
    'Verknüpfung mit einem Anbieter.',
  'revert-added': 'Danach hinzugefügte Anmeldewege werden auch entfernt.',
  'revert-password': 'Das alte Passwort gilt nicht mehr.',
  'revert-sessions': 'Alle Sitzungen des Kontos enden.',
  'revert-action': 'Konto zurückholen',
  'revert-done': 'Das Konto gehört wieder Ihnen',
  'revert-done-text':
    'Ihre E-Mail-Adresse gilt wieder. Melden Sie sich mit ihr und dem neuen Passwort an.',
  'revert-factors-done-text':
    'Was hinzugefügt wurde, ist entfernt. Melden Sie sich mit der Adresse, an die die E-Mail ' +
    'ging, und dem neuen Passwort an.',

  security: 'Sicherheit',
  'security-about': 'Passwort, E-Mail-Adresse, zweiter Faktor, Passkeys und Anbieter',
  'change-password': 'Passwort',
  'change-password-text': 'Ein neues Passwort beendet alle anderen Sitzungen.',
  'no-password': 'Sie haben noch kein Passwort.',
  'current-password': 'Aktuelles Passwort',
  'password-changed': 'Das Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
  address: 'E-Mail-Adresse',
  'address-verified': '{email}, bestätigt',
  'address-unverified': '{email}, nicht bestätigt',
  'address-pending':
    'Um {email} zu verwenden, öffnen Sie den Link, den wir dorthin geschickt haben.',
  'send-verification': 'Link zur Bestätigung schicken',
  'link-sent': 'Wir haben einen Link an {email} geschickt.',
  'new-address': 'Neue E-Mail-Adresse',
  'change-address': 'Adresse ändern',

  'factor-on': 'Zweiter Faktor an',
  'factor-off': 'Zweiter Faktor aus',
  passkeys: 'Passkeys',
  'passkeys-text':
    'Ein Passkey ist auf Ihrem Gerät oder in Ihrem Passwortmanager. Er ersetzt das Passwort und ' +
    'den zweiten Faktor.',
  'passkeys-none': 'Sie haben keine Passkeys.',
  'passkeys-unsupported': 'Dieser Browser kann keine Passkeys verwenden.',
  'passkey-add': 'Passkey hinzufügen',
  'passkey-name': 'Name des Passkeys',
  'passkey-name-hint': 'Ohne Namen wird er nach dem Gerät benannt.',
  'passkey-added': 'Hinzugefügt: {time}',
  'passkey-used': 'zuletzt verwendet: {time}',
  'passkey-here': 'Dieses Gerät hat bereits einen Passkey Ihres Kontos.',
  rename: 'Umbenennen',
  'passkey-remove': 'Passkey „{name}“ entfernen?',
  'passkey-remove-text':
    'Er kann nicht mehr zur Anmeldung verwendet werden, und alle anderen Sitzungen enden.',
  'passkey-remove-done': 'Der Passkey „{name}“ ist entfernt.',
  providers: 'Konten bei Anbietern',
  'providers-text': 'Damit können Sie sich statt mit dem Passwort anmelden.',
  'providers-none': 'Mit Ihrem Konto ist kein Konto bei einem Anbieter verknüpft.',
  'provider-link': '{name} verknüpfen',
  'provider-linked': 'Das Konto bei {name} ist verknüpft.',
  'provider-since': 'Verknüpft: {time}',
  'provider-unlink': 'Trennen',
  'provider-unlink-title': 'Das Konto bei {name} trennen?',
  'provider-unlink-text':
    'Sie können sich damit nicht mehr anmelden, und die anderen Sitzungen, die damit begannen, ' +
    'enden.',
  'provider-unlinked': 'Das Konto bei {name} ist getrennt.',

  enrol: 'Zweiten Faktor einrichten',
  'enrol-done': 'Der zweite Faktor ist eingerichtet',
  'enrol-there': 'Hier ist nichts mehr zu tun: Sie haben schon einen zweiten Faktor.',
  'enrol-without-link':
    'Dafür brauchen Sie keinen Link: Richten Sie den zweiten Faktor auf der Seite „Sicherheit“ ' +
    'ein.',
  'to-security': 'Zur Sicherheit',

  sessions: 'Sitzungen',
  'sessions-about': 'Browser, in denen Sie angemeldet sind',
  'session-current': 'Dieser Browser',
  'browser-unknown': 'Unbekannter Browser',
  'session-seen': 'Zuletzt verwendet: {time}',
  'session-started': 'angemeldet: {time}',
  'end-session': 'Beenden',
  'end-session-done': 'Die Sitzung ist beendet.',
  'end-others': 'Alle anderen Sitzungen beenden',
  'end-others-done': 'Alle anderen Sitzungen sind beendet.',
  'no-others': 'Es gibt keine anderen Sitzungen.',

  settings: 'Einstellungen der App',
  'settings-about': 'Was {product} für Sie speichert',
  'settings-own': 'Ihre Auswahl',
  'settings-save': 'Einstellungen speichern',
  'settings-app': 'Von der App festgelegt',
  'settings-app-text': 'Diese Werte können Sie nicht ändern.',

  data: 'Ihre Daten',
  'data-about': 'Name, Sprache, Profil, Aktivität und eine Kopie Ihrer Daten',
  'data-text': 'Was {product} über Sie weiß. Jeder Abschnitt wird für sich gespeichert.',
  theme: 'Darstellung der App',
  'theme-system': 'Wie das Gerät',
  'theme-light': 'Hell',
  'theme-dark': 'Dunkel',
  profile: 'Profil',
  bio: 'Über Sie',
  avatarUrl: 'Adresse eines Bildes',
  website: 'Website',
  location: 'Ort',
  pronouns: 'Pronomen',
  locale: 'Sprache',
  'locale-hint': 'Der E-Mails und der App.',
  'locale-none': 'Nicht gewählt',
  timeZone: 'Zeitzone',
  'timeZone-hint': 'Für Zeiten in E-Mails, zum Beispiel Europe/Vienna.',
  activity: 'Aktivität',
  'activity-text': 'Was Sie getan haben, und was andere mit Ihrem Konto getan haben.',
  'activity-end': 'Das ist Ihre gesamte Aktivität.',
  failed: 'fehlgeschlagen',
  'by-others': 'von jemand anderem',
  download: 'Kopie Ihrer Daten',
  'download-text':
    'Eine Datei (JSON) mit allem, was über Sie gespeichert ist: Konto, Profil, Sitzungen, ' +
    'Anmeldewege, API-Schlüssel, Aktivität und E-Mails.',
  'download-action': 'Herunterladen'
}
