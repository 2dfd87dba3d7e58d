import type { Dictionary } from './en.ts'

export const de: Dictionary = {
  'common.hello': 'Guten Tag,',
  'common.hello-name': 'Guten Tag, {name},',
  'common.footer': 'Diese Nachricht wurde automatisch von {product} verschickt.',
  'common.expiry': 'Der Link ist bis {time} gültig.',

  'fact.time': 'Zeitpunkt',
  'fact.browser': 'Browser',
  'fact.address': 'Netzwerkadresse',

  'confirm.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  'confirm.body':
    'Mit dieser E-Mail-Adresse hat sich jemand bei {product} registriert. Wenn Sie das waren, ' +
    'bestätigen Sie die Adresse mit dem Passwort, das Sie gewählt haben.',
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

  'invitation.subject': 'Ihr Konto bei {product}',
  'invitation.body':
    'Bei {product} wurde ein Konto für Sie angelegt. Wählen Sie ein Passwort, um es zu nutzen.',
  'invitation.button': 'Passwort wählen',

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
    'her und wählen Sie ein neues Passwort. Alle anderen werden dabei abgemeldet.',
  'email-changed.button': 'Diese Adresse wiederherstellen',
  'email-changed.not-you':
    'Wenn Sie das nicht erwartet haben, wenden Sie sich an die Betreiber von {product}.',
  'email-changed.ignore': 'Wenn Sie das waren, brauchen Sie nichts zu tun.',

  'password-changed.subject': 'Das Passwort Ihres Kontos bei {product} wurde geändert',
  'password-changed.body': 'Das Passwort Ihres Kontos bei {product} wurde geändert.',
  'password-changed.not-you':
    'Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort. Alle werden dabei abgemeldet.',
  'password-changed.button': 'Neues Passwort wählen',

  'new-device.subject': 'Neue Anmeldung bei Ihrem Konto bei {product}',
  'new-device.body':
    'Bei Ihrem Konto bei {product} hat sich jemand mit einem Browser angemeldet, der dort bisher ' +
    'nicht verwendet wurde.',
  'new-device.not-you':
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort. Damit enden alle anderen ' +
    'Sitzungen. Sie finden sie auf Ihrer Kontoseite.',
  'new-device.button': 'Sitzungen ansehen',

  'account-deleted.subject': 'Ihr Konto bei {product} wurde gelöscht',
  'account-deleted.body': 'Ihr Konto bei {product} und alle seine Sitzungen wurden gelöscht.',
  'account-deleted.not-you':
    'Wenn Sie das nicht waren, wenden Sie sich an die Betreiber von {product}. Über diese ' +
    'Nachricht lässt sich das Konto nicht wiederherstellen.',

  'test.subject': 'Testnachricht von {product}',
  'test.body':
    'Dies ist eine Testnachricht. Wenn Sie sie lesen können, kann {product} E-Mails an diese ' +
    'Adresse schicken.'
}
