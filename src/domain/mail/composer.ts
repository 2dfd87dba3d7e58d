import { browserOf } from '../../common/browsers.ts'
import type { Link, NoticeFacts, Reader } from '../outbox/enqueue.ts'
import type { OwnMails } from './own-mails.ts'
import type { Block } from './render.ts'
import { fill, findLocale, languageOf } from './texts.ts'
import type { Texts } from './texts.ts'
import type { TextKey } from './texts/en.ts'

export interface MailSettings {
  /** PRODUCT_NAME. */
  product: string
  /** ACCOUNT_URL: where links lead. */
  accountUrl: string
  /** MAIL_LOCALE: for readers whose language is unknown, or has no texts. */
  locale: string
  texts: Texts
  /** Mails of the app by their kind. */
  own?: OwnMails | undefined
}

export type Composer = ReturnType<typeof createComposer>

/** Writes blocks in the language and the time zone of a reader. */
export function createComposer(
  reader: Reader,
  { product, accountUrl, texts, ...fallback }: MailSettings
) {
  const locale = findLocale(texts, reader.locale) ?? findLocale(texts, fallback.locale) ?? 'en'
  const say = (key: TextKey, values: Record<string, string> = {}) =>
    fill(texts.get(locale)?.[key] ?? '', { ...values, product })
  const paragraph = (key: TextKey, values?: Record<string, string>): Block => ({
    type: 'paragraph',
    text: say(key, values)
  })
  const time = (iso: string) => formatTime(new Date(iso), locale, reader)
  const page = (key: TextKey, name: Page, query: Query = {}): Block => ({
    type: 'button',
    label: say(key),
    url: linkTo(accountUrl, name, query)
  })
  return {
    locale,
    say,
    paragraph,
    time,
    page,
    link: (key: TextKey, name: Page, { token, expiresAt }: Link, provider?: string): Block[] => [
      page(key, name, { token, provider }),
      paragraph('common.expiry', { time: time(expiresAt) })
    ],
    facts({ at, ip, userAgent }: NoticeFacts): Block {
      const browser = browserOf(userAgent)
      return {
        type: 'facts',
        facts: [
          [say('fact.time'), time(at)],
          ...(browser ? [[say('fact.browser'), browser] as const] : []),
          ...(ip ? [[say('fact.address'), ip] as const] : [])
        ]
      }
    }
  }
}

/** Pages under ACCOUNT_URL that mails link to. */
type Page =
  | 'confirm'
  | 'confirm-email'
  | 'end-keys'
  | 'enrol'
  | 'forgot'
  | 'reset'
  | 'restore'
  | 'revert'
  | 'revert-factors'
  | 'security'
  | 'sessions'
  | 'sign-in'

interface Query {
  token?: string | undefined
  /** Key of the provider that completes a registration. */
  provider?: string | undefined
}

/** The token is in the query, because mail scanners damage fragments. */
export function linkTo(accountUrl: string, page: Page, query: Query): string {
  const url = new URL(accountUrl)
  url.pathname = `${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}${page}`
  for (const name of ['token', 'provider'] as const) {
    if (query[name] !== undefined) url.searchParams.set(name, query[name])
  }
  return url.href
}

/**
 * In the reader's time zone, and as in the reader's region if the texts are in the reader's
 * language.
 */
function formatTime(time: Date, locale: string, reader: Reader): string {
  const format = (tag: string, timeZone: string) =>
    new Intl.DateTimeFormat(tag, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short'
    }).format(time)
  const region = languageOf(reader.locale ?? locale) === languageOf(locale) && reader.locale
  try {
    return format(region || locale, reader.timeZone ?? 'UTC')
  } catch {
    return format(locale, 'UTC') // this version of Node does not know the tag or the zone
  }
}
