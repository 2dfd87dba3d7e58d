import { browserOf } from '../../common/browsers.ts'
import type { Link, NoticeFacts, OwnContent, Reader } from '../outbox/enqueue.ts'
import { escapeHtml } from '../texts.ts'
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

/** A piece of a mail. Everything in it is plain text: only this file knows HTML. */
export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'button'; label: string; url: string }
  | { type: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  | { type: 'code'; code: string }

interface Content {
  subject: string
  locale: string
  /** Whose mail it is. */
  product: string
  blocks: readonly Block[]
  footer: string
}

export interface Rendered {
  subject: string
  text: string
  html: string
}

export const render = (content: Content): Rendered => ({
  subject: content.subject,
  text: renderText(content),
  html: renderHtml(content)
})

// A paragraph is one line: mail programs fill lines of the width that they have.
function renderText({ product, blocks, footer }: Content): string {
  // "-- " on a line of its own begins a signature (RFC 3676, 4.3).
  return `${product}\n\n${blocks.map(textOf).join('\n\n')}\n\n-- \n${footer}\n`
}

function textOf(block: Block): string {
  if (block.type === 'paragraph') return block.text
  if (block.type === 'button') return `${block.label}:\n${block.url}`
  if (block.type === 'facts') {
    return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  }
  return `    ${block.code}`
}

// Colours are left to the reader's program, so that its dark mode works. Only the button has its
// own. A table, because some programs know no other layout.
const font = 'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const line = '1px solid #8886'
const style = {
  page: `margin:0;padding:0;${font}`,
  outer: 'width:100%;border-collapse:collapse',
  around: 'padding:24px 16px',
  column: `width:100%;max-width:36rem;margin:0 auto;border-collapse:collapse;${font}`,
  product: `padding:0 0 12px;border-bottom:${line};font-weight:600;text-align:start`,
  body: 'padding:12px 0 20px;overflow-wrap:anywhere;text-align:start',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;' +
    'background:#1f5fae;color:#fff;text-decoration:none;font-weight:600',
  facts: 'border-collapse:collapse',
  label:
    'padding:0 16px 4px 0;text-align:start;vertical-align:top;font-weight:400;opacity:.75;' +
    'white-space:nowrap',
  value: 'padding:0 0 4px;text-align:start',
  code:
    `padding:12px;border:${line};border-radius:6px;` +
    'font:18px/1.4 ui-monospace,monospace;overflow-wrap:anywhere',
  footer:
    `padding:12px 0 0;border-top:${line};font-size:13px;opacity:.75;` +
    'overflow-wrap:anywhere;text-align:start'
}

function renderHtml({ subject, locale, product, blocks, footer }: Content): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${style.page}">
<table role="presentation" style="${style.outer}"><tr><td style="${style.around}">
<table role="presentation" style="${style.column}">
<tr><td style="${style.product}">${escapeHtml(product)}</td></tr>
<tr><td style="${style.body}">
${blocks.map(htmlOf).join('\n')}
</td></tr>
<tr><td style="${style.footer}">${escapeHtml(footer)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function htmlOf(block: Block): string {
  if (block.type === 'paragraph') return `<p>${escapeHtml(block.text)}</p>`
  if (block.type === 'button') {
    // A new tab without an opener, for the frame in which the development server shows mails.
    const tab = 'target="_blank" rel="noopener noreferrer"'
    const link = `<a href="${escapeHtml(block.url)}" style="${style.button}" ${tab}>`
    return `<p>${link}${escapeHtml(block.label)}</a></p>`
  }
  if (block.type === 'facts') {
    const rows = block.facts.map(
      ([label, value]) =>
        `<tr><th style="${style.label}">${escapeHtml(label)}</th>` +
        `<td style="${style.value}">${escapeHtml(value)}</td></tr>`
    )
    return `<table style="${style.facts}">\n${rows.join('\n')}\n</table>`
  }
  return `<p style="${style.code}">${escapeHtml(block.code)}</p>`
}
