import type { common as en } from './common-en.ts'

export const common: Record<keyof typeof en, string> = {
  'retry-after': 'Versuchen Sie es in {time} erneut.',
  unreachable: 'Das Portal ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
  foreign:
    'Die Antwort ist nicht vom Portal. Melden Sie sich bei Ihrem Netz an, und versuchen Sie es ' +
    'erneut.',
  'passkey-cancelled':
    'Der Passkey wurde nicht verwendet. Versuchen Sie es erneut oder auf anderem Weg.',
  'problem.account-exists':
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich anders an, und ' +
    'verknüpfen Sie den Anbieter unter „Sicherheit“. Ohne Passwort können Sie per E-Mail ein ' +
    'neues anfordern.',
  'problem.flow-expired':
    'Die Anmeldung hat länger als zehn Minuten gedauert, war schon abgeschlossen oder begann in ' +
    'einem anderen Browser. Beginnen Sie von vorn.',
  'problem.provider-account-taken':
    'Dieses Konto beim Anbieter ist mit einem anderen Konto hier verknüpft. Trennen Sie es ' +
    'zuerst dort.',
  'problem.provider-email-missing':
    'Der Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, oder legen ' +
    'Sie hier ein Konto an und verknüpfen Sie den Anbieter danach.',
  'problem.provider-refused':
    'Der Anbieter hat Sie nicht angemeldet, oder seine Antwort konnte nicht geprüft werden. ' +
    'Versuchen Sie es erneut, oder melden Sie sich anders an.',
  'problem.provider-required':
    'Ihre Organisation verwaltet diese Adresse. Melden Sie sich mit deren Anbieter an.',
  'problem.provider-unavailable':
    'Der Anbieter antwortet nicht. Versuchen Sie es in einigen Minuten erneut, oder melden Sie ' +
    'sich anders an.',
  'problem.sign-in-refused':
    'Mit diesem Konto können Sie sich nicht anmelden. Fragen Sie einen Administrator.',
  'problem.too-many-providers':
    'Es sind bereits zehn Konten bei Anbietern verknüpft. Trennen Sie zuerst eines.'
}
