import type { Translation } from '../../shared/say.ts'
import { de as shared } from '../../shared/words/de.ts'
import { actions } from './actions-de.ts'
import type { en } from './en.ts'
import { deletion } from './deletion-de.ts'
import { keys } from './keys-de.ts'
import { problems } from '../../../client/words/problems-de.ts'

export const de: Translation<keyof typeof en> = {
  ...shared,
  ...problems,
  ...actions,
  ...keys,
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
  'confirm-text': 'Geben Sie das Passwort ein, das Sie beim Anlegen des Kontos gewählt haben.',
  'confirm-provider-text':
    'Melden Sie sich noch einmal mit demselben Konto beim Anbieter an, um hier Ihr Konto ' +
    'anzulegen.',
  'confirm-address': 'Adresse bestätigen',
  'confirm-again':
    'Für einen neuen Link legen Sie das Konto noch einmal an, oder melden Sie sich an.',
  'confirm-email-text': 'Sie sind als {email} angemeldet.',
  'email-confirmed': 'E-Mail-Adresse bestätigt',
  'email-confirmed-text': 'Die Adresse Ihres Kontos ist {email}.',
  'link-incomplete-notice':
    'Der Link ist unvollständig. Öffnen Sie ihn aus der E-Mail, die von der Änderung berichtet.',
  'link-incomplete':
    'Der Link ist unvollständig. Öffnen Sie ihn aus der E-Mail, oder fordern Sie einen neuen an.',

  forgot: 'Passwort vergessen',
  'forgot-text': 'Sie bekommen per E-Mail einen Link, mit dem Sie ein neues Passwort wählen.',
  'send-link': 'Link schicken',
  'forgot-sent':
    'Wenn es ein Konto mit der Adresse {email} gibt, haben wir einen Link dorthin geschickt. Er ' +
    'gilt 30 Minuten. Wenn in einigen Minuten nichts ankommt, sehen Sie im Ordner für Spam nach.',
  reset: 'Neues Passwort wählen',
  'reset-text': 'Sie werden überall abgemeldet.',
  'set-password': 'Passwort setzen',
  'reset-done': 'Das Passwort ist gesetzt',
  'reset-done-text': 'Alle Sitzungen sind beendet. Melden Sie sich mit dem neuen Passwort an.',
  'new-link': 'Neuen Link anfordern',
  revert: 'Konto zurückholen',
  'revert-text':
    'Damit gilt wieder die E-Mail-Adresse, an die die E-Mail ging. Sie wählen ein neues ' +
    'Passwort, alle werden abgemeldet, und seither hinzugefügte Anmeldewege werden entfernt.',
  'revert-action': 'Adresse wiederherstellen',
  'revert-done': 'Das Konto gehört wieder Ihnen',
  'revert-done-text':
    'Ihre E-Mail-Adresse gilt wieder. Melden Sie sich mit ihr und dem neuen Passwort an.',

  'revert-factors-text':
    'Damit entfernen Sie den Anmeldeweg, von dem die E-Mail handelt, und alle, die seither ' +
    'hinzugefügt wurden. Sie wählen ein neues Passwort, und alle werden abgemeldet. Tun Sie das ' +
    'nur, wenn Sie es nicht selbst waren.',
  'revert-factors-action': 'Konto zurückholen',
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

  'factor-text':
    'Mit einem zweiten Faktor, einer Authenticator-App oder einem Passkey, reicht ein ' +
    'gestohlenes Passwort nicht zur Anmeldung.',
  'factor-first': 'Wenn Sie den ersten einrichten, enden alle anderen Sitzungen.',
  'factor-roles': 'Ihre Rollen verlangen einen zweiten Faktor: {roles}.',
  'factor-needs-link':
    'Um den ersten einzurichten, brauchen Sie einen Link, den wir an Ihre Adresse schicken.',
  'password-alone': 'Zur Anmeldung genügt Ihr Passwort allein.',
  'password-and-factor': 'Die Anmeldung mit dem Passwort verlangt auch einen zweiten Faktor.',
  'require-factor': 'Zweiten Faktor verlangen',
  'allow-password': 'Passwort allein erlauben',
  app: 'Authenticator-App',
  'app-since': 'Eingerichtet: {time}.',
  'app-none': 'Eine App auf Ihrem Telefon zeigt Codes für die Anmeldung.',
  'app-set-up': 'App einrichten',
  'app-replace': 'App ersetzen',
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
  'first-code': 'Erster Code aus der App',
  codes: 'Wiederherstellungscodes',
  'codes-left': 'Übrige Wiederherstellungscodes: {left}.',
  'codes-renew': 'Neue Wiederherstellungscodes erstellen',
  'codes-text':
    'Jeder dieser Codes gilt einmal anstelle Ihres zweiten Faktors. Bewahren Sie sie so auf, ' +
    'dass Sie sie auch ohne Ihr Telefon finden. Sie werden nicht noch einmal angezeigt, und alle ' +
    'früheren sind ungültig.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  'copy-failed':
    'Der Browser hat das Kopieren nicht erlaubt. Markieren und kopieren Sie die Codes selbst.',
  print: 'Drucken',
  'codes-stored': 'Ich habe diese Codes gespeichert',
  'codes-leave': 'Ohne die Codes weitergehen?',
  'codes-leave-text':
    'Sie werden nicht noch einmal angezeigt. Ohne sie können Sie sich nicht anmelden, wenn Sie ' +
    'Ihren zweiten Faktor verlieren.',
  'codes-stay': 'Zurück zu den Codes',
  'codes-leave-action': 'Ohne sie weitergehen',
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
  'provider-since': 'Verknüpft {time}',
  'provider-unlink': 'Trennen',
  'provider-unlink-title': 'Das Konto bei {name} trennen?',
  'provider-unlink-text':
    'Sie können sich damit nicht mehr anmelden, und die anderen Sitzungen, die damit begannen, ' +
    'enden.',
  'provider-unlinked': 'Das Konto bei {name} ist getrennt.',

  enrol: 'Zweiten Faktor einrichten',
  'enrol-done': 'Der zweite Faktor ist eingerichtet',
  'enrol-not-needed': 'Sie haben schon einen zweiten Faktor, oder Sie brauchen dafür keinen Link.',
  'to-security': 'Zur Sicherheit',

  sessions: 'Sitzungen',
  'sessions-about': 'Browser, in denen Sie angemeldet sind',
  'session-current': 'Dieser Browser',
  'browser-unknown': 'Unbekannter Browser',
  'session-started': 'Angemeldet: {time}',
  'session-seen': 'zuletzt verwendet: {time}',
  'end-session': 'Sitzung beenden',
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
