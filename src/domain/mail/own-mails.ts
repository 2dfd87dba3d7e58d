import type { OwnContent, Reader } from '../outbox/enqueue.ts'
import type { Block } from './render.ts'
import { fill, findLocale } from './texts.ts'

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

export interface OwnMailType {
  /** The names of the placeholders. */
  params?: readonly string[]
  /** The texts by language tag. `en` is for readers whose language has none. */
  texts: { en: MailText } & Readonly<Record<string, MailText>>
}

/** By kind. */
export type OwnMails = Readonly<Record<string, OwnMailType>>

/** Where links lead, and what the texts of all mails have in common. */
interface OwnSettings {
  own?: OwnMails | undefined
  product: string
  locale: string
  accountUrl: string
}

/** A mail of the app in the language of its reader. */
export function writeOwn(
  { own, params }: OwnContent,
  reader: Reader,
  { own: mails, product, locale: usual, accountUrl }: OwnSettings
): { locale: string; subject: string; blocks: Block[] } {
  const texts = mails?.[own]?.texts
  if (!texts) throw new Error(`the app has no mail ${own}`)
  const tags = new Map(Object.entries(texts))
  const locale = findLocale(tags, reader.locale) ?? findLocale(tags, usual) ?? 'en'
  const { subject, text, button } = tags.get(locale) ?? texts.en
  const values = { ...params, name: nameForMail(reader.name) ?? '', product }
  const inUrl = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)])
  )
  return {
    locale,
    subject: fill(subject, values),
    blocks: [
      ...text.split(/\n{2,}/).map((paragraph): Block => {
        return { type: 'paragraph', text: fill(paragraph.trim(), values) }
      }),
      ...(button
        ? [
            {
              type: 'button' as const,
              label: fill(button.label, values),
              url: new URL(fill(button.url, inUrl), accountUrl).href
            }
          ]
        : [])
    ]
  }
}

const longest = 40

/**
 * A user's name as a mail may show it, else undefined: short, and without what looks like a link or
 * like markup. Only mail to a confirmed address has a name, but a thief can change it, and users
 * who are imported bring one.
 */
export function nameForMail(name: string | null | undefined): string | undefined {
  const cleaned = (name ?? '')
    .normalize('NFKC') // other forms of letters and full stops, such as full-width ones
    .replace(/[^\p{L}\p{M}\p{N} .,'’()-]/gu, ' ')
    .replace(/\.(?=[^ ])/g, ' ')
    .replace(/https?|www/gi, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const short = [...cleaned].slice(0, longest).join('').trim()
  return /[\p{L}\p{N}]/u.test(short) ? short : undefined
}
