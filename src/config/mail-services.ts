import { parseMailFrom, parseMailUrl } from '../domain/mail/addresses.ts'
import type { MailSettings } from '../domain/mail/composer.ts'
import { loadTexts } from '../domain/mail/texts.ts'
import { createTransport } from '../domain/mail/transport.ts'
import type { MailTransport } from '../domain/mail/transport.ts'
import type { MailService } from '../domain/outbox/enqueue.ts'
import type { Sealing } from '../domain/sealing.ts'
import { buttonColours } from '../http/pages/accent.ts'
import { logoFile } from './account-pages.ts'
import type { Config } from './config.ts'

/** Undefined where no mail can be sent. In development, mail is caught without a mail server. */
export const mailServiceOf = (config: Config, sealing: Sealing): MailService | undefined =>
  config.MAIL_URL === undefined && !config.development
    ? undefined
    : {
        sealing,
        delivers: config.MAIL_URL !== undefined,
        verification: config.EMAIL_VERIFICATION,
        signInNotices: config.SIGN_IN_NOTICES
      }

/** Reads the files of MAIL_TEXTS. */
export const mailSettingsOf = (config: Config): MailSettings => ({
  product: config.PRODUCT_NAME,
  accountUrl: config.ACCOUNT_URL ?? config.PUBLIC_ORIGIN,
  locale: config.MAIL_LOCALE,
  texts: loadTexts(config.MAIL_TEXTS),
  look: lookOf(config)
})

/** The button and the logo of the account pages, which serve it. */
function lookOf(config: Config) {
  const logo = config.ACCOUNT_PAGES === 'on' ? logoFile(config) : undefined
  return {
    accent: buttonColours(config.ACCOUNT_ACCENT),
    logo: logo && `${config.PUBLIC_ORIGIN}/account/assets/${logo.name}`
  }
}

/** Undefined without a mail server. */
export function transportOf(
  { MAIL_URL, MAIL_FROM = '', PUBLIC_ORIGIN }: Config,
  trace?: (line: string) => void
) {
  if (MAIL_URL === undefined) return undefined
  const { hostname } = new URL(PUBLIC_ORIGIN)
  return createTransport({
    server: parseMailUrl(MAIL_URL),
    from: parseMailFrom(MAIL_FROM),
    host: hostname,
    trace
  }) satisfies MailTransport
}
