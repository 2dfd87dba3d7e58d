import type { newDevice as english } from './en.ts'

export const newDevice = {
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
  'new-device.button': 'Sitzungen ansehen'
} satisfies Record<keyof typeof english, string>
