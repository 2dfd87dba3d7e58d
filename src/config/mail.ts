import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import { mailFromProblem, mailUrlProblem } from '../domain/mail/addresses.ts'
import { findLocale, loadTexts, TextsError } from '../domain/mail/texts.ts'
import { originProblem, ownUrlProblem } from './addresses.ts'
import { guardProblems, guardVariables } from './guard.ts'
import { optionalText, word } from './variable-types.ts'

const example = 'such as https://app.example.com/account'

/** The variables about mail. Defaults that depend on others are in `mailDefaults`. */
export const mailVariables = {
  MAIL_URL: optionalText({
    description: 'SMTP server: smtp://user:password@host:587 or smtps://…:465',
    note:
      'With `smtp:`, STARTTLS is required except on loopback. Without the variable, ' +
      'development catches [mail](../do/mail.md), and production sends none'
  }),
  MAIL_FROM: optionalText({
    description: 'Sender of mail, such as Portal <portal@example.com>',
    unset: 'required with `MAIL_URL`'
  }),
  MAIL_LOCALE: Type.String({
    default: 'en',
    description: 'Language of mail for readers whose language is unknown or has no texts'
  }),
  MAIL_TEXTS: optionalText({
    description:
      'Directory of <language>.json files that replace texts of mail and of the account pages',
    note: '[Change the texts](../do/mail.md#change-the-texts) explains it'
  }),
  PRODUCT_NAME: Type.String({
    default: 'portal',
    description:
      'Name of the product in mail and authenticator apps: 1 to 40 characters, without a colon'
  }),
  EMAIL_VERIFICATION: word(['off', 'optional', 'required'], {
    description: 'Whether users confirm their e-mail address',
    unset: '`required` with `MAIL_URL`, else `optional` in development and `off` in production'
  }),
  ACCOUNT_URL: optionalText({
    description: `URL below which links in mail find their pages, ${example}`,
    note: 'At `PUBLIC_ORIGIN` or one of the `CORS_ORIGINS`; required with `MAIL_URL`',
    unset: '`PUBLIC_ORIGIN/account` in development and with `ACCOUNT_PAGES=on`'
  }),
  SIGN_IN_NOTICES: Type.Boolean({
    default: true,
    description: 'Whether users get a mail about a sign-in from a new device'
  }),
  ...guardVariables
}

interface Settings extends Static<TObject<typeof mailVariables>> {
  NODE_ENV: string
  PUBLIC_ORIGIN: string
}

/**
 * In development, mail is caught without MAIL_URL: there, addresses need not be confirmed to sign
 * in.
 * @param accountPages where the portal has account pages, or an app in development
 */
export const mailDefaults = (
  development: boolean,
  hasServer: boolean,
  accountPages: string | undefined
) => ({
  EMAIL_VERIFICATION: hasServer ? 'required' : development ? 'optional' : 'off',
  ...(accountPages !== undefined && { ACCOUNT_URL: accountPages })
})

/**
 * Describes the mistakes of these variables by their names, without secrets; undefined for those
 * that are valid.
 */
export function* mailProblems(
  settings: Settings,
  corsOrigins: string[]
): Generator<[keyof typeof mailVariables, string | undefined]> {
  const { MAIL_URL, MAIL_FROM, EMAIL_VERIFICATION, ACCOUNT_URL, NODE_ENV } = settings
  const development = NODE_ENV === 'development'
  if (MAIL_URL !== undefined) yield ['MAIL_URL', mailUrlProblem(MAIL_URL)]
  if (MAIL_FROM !== undefined) yield ['MAIL_FROM', mailFromProblem(MAIL_FROM)]
  else if (MAIL_URL !== undefined) yield ['MAIL_FROM', 'is not set: with MAIL_URL it is required']
  if (!isProductName(settings.PRODUCT_NAME)) {
    yield ['PRODUCT_NAME', 'must have 1 to 40 characters, without a colon']
  }
  if (EMAIL_VERIFICATION !== 'off' && MAIL_URL === undefined && !development) {
    yield ['EMAIL_VERIFICATION', 'must be off without MAIL_URL, because no mail can be sent']
  }
  if (ACCOUNT_URL !== undefined) {
    const origins = [settings.PUBLIC_ORIGIN, ...corsOrigins]
    // An invalid origin is reported for PUBLIC_ORIGIN only.
    if (originProblem(settings.PUBLIC_ORIGIN, development) === undefined) {
      yield ['ACCOUNT_URL', ownUrlProblem(ACCOUNT_URL, origins, example)]
    }
  } else if (MAIL_URL !== undefined) {
    yield ['ACCOUNT_URL', `is not set: links in mail lead there, ${example}`]
  }
  yield* guardProblems(settings)
  yield* textProblems(settings)
}

const isProductName = (text: string) =>
  /^[^:\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]{1,40}$/u.test(text) && text.trim() !== ''

function* textProblems({
  MAIL_TEXTS,
  MAIL_LOCALE
}: Settings): Generator<[keyof typeof mailVariables, string]> {
  try {
    const texts = loadTexts(MAIL_TEXTS)
    if (findLocale(texts, MAIL_LOCALE) === undefined) {
      yield ['MAIL_LOCALE', `must be a language that has texts: ${[...texts.keys()].join(', ')}`]
    }
  } catch (error) {
    if (!(error instanceof TextsError)) throw error
    const mistakes = error.problems.map((problem) => problem.replace(/^MAIL_TEXTS /, ''))
    yield ['MAIL_TEXTS', mistakes.join('; ')]
  }
}
