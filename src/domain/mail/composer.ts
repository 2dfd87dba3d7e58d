import { browserOf } from '../../common/browsers.ts'
import type { Link, NoticeFacts, OwnContent, Reader } from '../outbox/enqueue.ts'
import type { Block, Look } from './render.ts'
import { fill, findLocale, languageOf } from './texts.ts'
import type { Texts } from './texts.ts'
import type { TextKey } from './texts/en.ts'

/**
 * A mail of the app in one language. Its texts have placeholders for `params`: `{number}`; `{name}`
 * is the name of the reader, and `{product}` the PRODUCT_NAME.
 */
export interface MailText {
  subject: string
  /** Paragraphs, which are separated by empty lines. The portal writes the greeting above them. */
  text: string
  /** A link at the end. A path leads to the host of ACCOUNT_URL. */
  button?: { label: string; url: string }
}

interface OwnMailType {
  /** The names of the placeholders. */
  params?: readonly string[]
  /** The texts by language tag. `en` is for readers whose language has none. */
  texts: { en: MailText } & Readonly<Record<string, MailText>>
}

/** By kind. */
export type OwnMails = Readonly<Record<string, OwnMailType>>

export interface MailSettings {
  /** PRODUCT_NAME. */
  product: string
  /** ACCOUNT_URL: where links lead. */
  accountUrl: string
  /** MAIL_LOCALE: for readers whose language is unknown, or has no texts. */
  locale: string
  texts: Texts
  look: Look
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

/** Writes a mail of the app in the language of its reader. */
export function writeOwn({ own, params }: OwnContent, reader: Reader, settings: MailSettings) {
  const texts = settings.own?.[own]?.texts
  if (!texts) throw new Error(`the app has no mail ${own}`)
  const tags = new Map(Object.entries(texts))
  const locale = findLocale(tags, reader.locale) ?? findLocale(tags, settings.locale) ?? 'en'
  const { subject, text, button } = tags.get(locale) ?? texts.en
  const values = { ...params, name: reader.name ?? '', product: settings.product }
  const inUrl = Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)])
  const blocks = text
    .split(/\n{2,}/)
    .map((each): Block => ({ type: 'paragraph', text: fill(each.trim(), values) }))
  if (button) {
    const target = fill(button.url, Object.fromEntries(inUrl))
    // Not relative to ACCOUNT_URL: with an empty value, what follows `//` would be another host.
    const { href } = new URL(
      target.startsWith('/') ? new URL(settings.accountUrl).origin + target : target
    )
    blocks.push({ type: 'button', label: fill(button.label, values), url: href })
  }
  return { subject: fill(subject, values), locale, blocks }
}

/** Pages under ACCOUNT_URL that mails link to. */
type Page =
  | 'confirm'
  | 'confirm-email'
  | 'end-keys'
  | 'enrol'
  | 'forgot'
  | 'invitation'
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
      hour: 'numeric',
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
