import { mailKinds } from '../../../db/schema/outbox.ts'
import { DomainError } from '../../domain/errors.ts'
import { isRequest, kindOf } from '../../domain/outbox/enqueue.ts'
import { openDevMails } from '../../domain/outbox/list.ts'
import type { Context } from '../../domain/sign-in/context.ts'
import { escapeHtml } from '../../domain/texts.ts'
import { htmlPage, pagePolicy } from '../../html.ts'
import { renderMail } from '../../domain/mail/letters.ts'
import type { MailSettings } from '../../domain/mail/composer.ts'

/** More would be slow to write out, and nobody reads them. */
const mostShown = 100
const mostSearched = 1000

interface Which {
  id?: string | undefined
  kind?: string | undefined
  /** Part of the address or of the subject. */
  q?: string | undefined
}

/** The newest mail that was caught in development, each as it would have been sent. */
export async function renderDevMails(
  { db, mail }: Pick<Context, 'db' | 'mail'>,
  settings: MailSettings,
  { q = '', ...which }: Which = {}
) {
  const limit = q === '' ? mostShown : mostSearched
  const rows = mail ? await openDevMails(db, mail.sealing, { ...which, limit }) : []
  const wanted = q.toLowerCase()
  return rows
    .flatMap(({ id, userId, createdAt, payload }) => {
      // Never a request: the worker replaced it by its mail before it caught that.
      if (isRequest(payload)) return []
      const { to, reader, content } = payload
      // The app no longer has its texts.
      if (content.kind === 'app' && !settings.own?.[content.own]) return []
      const written = renderMail(content, to, reader, settings)
      return [{ id, userId, kind: kindOf(content), to, at: createdAt, ...written }]
    })
    .filter(({ to, subject }) => `${to}\n${subject}`.toLowerCase().includes(wanted))
    .slice(0, mostShown)
}

/** One of them. Throws `mail-not-found`. */
export async function findDevMail(
  context: Pick<Context, 'db' | 'mail'>,
  settings: MailSettings,
  id: string
) {
  const [mail] = await renderDevMails(context, settings, { id })
  if (!mail) throw new DomainError('mail-not-found')
  return mail
}

/** The list can be limited to one of these; '' stands for all kinds. */
export const shownKinds = (own: object = {}) => ['', ...mailKinds, ...Object.keys(own)]

/** A mail that the development server caught, as its list shows it. */
interface DevMail {
  id: string
  kind: string
  to: string
  subject: string
  at: Date
}

/** The filters of the list. */
interface Search {
  q?: string | undefined
  kind?: string | undefined
}

/** Content-Security-Policy of the pages here. */
export const mailPagePolicy = `${pagePolicy}; frame-src 'self'`

/**
 * Content-Security-Policy of the HTML of a mail, in a document of its own: no script, no image from
 * elsewhere, no forms. Its links open in new tabs that know nothing of this one.
 */
export const mailHtmlPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "img-src 'self'", // the logo of the account pages
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox'
].join('; ')

const site = { at: '/mail', hasMail: true } as const

/** The list at `/mail`, in the order given. */
export function mailListPage(
  mails: readonly DevMail[],
  search: Search = {},
  kinds = shownKinds()
): string {
  const rows = mails.map(
    (mail) =>
      `<li><a href="/mail/${encodeURIComponent(mail.id)}">${escapeHtml(mail.subject)}</a>
<span class="second facts">${factsOf(mail)}</span></li>`
  )
  const { q, kind } = search
  const what = q ? ` “${escapeHtml(q)}”` : ''
  const none =
    q !== undefined || kind !== undefined
      ? `<p>No mail matches${what}. <a href="/mail">Show all mail</a></p>`
      : '<p>No mail yet. Mails that the portal would send appear here: ' +
        '<a href="/account/register">register</a> with any address, or ' +
        '<a href="/account/forgot">ask for a new password</a>.</p>'
  const list = rows.length > 0 ? `<ol class="list">\n${rows.join('\n')}\n</ol>` : none
  const note =
    '<p class="second">The newest mail that this server would have sent. The state of all mail ' +
    'is in the <a href="/console/mail">console</a>.</p>'
  return htmlPage('Mail', note + searchForm(search, kinds) + list, site)
}

/** @param href where the user is shown, if there is one */
function factsOf({ to, kind, at }: DevMail, href?: string) {
  const address = escapeHtml(to)
  const user = href === undefined ? address : `<a href="${href}">${address}</a>`
  return `<span title="${address}">${user}</span> <span>${wordsOf(kind)}</span> ${timeOf(at)}`
}

const wordsOf = (kind: string) => escapeHtml(kind.replaceAll('-', ' '))

function searchForm({ q = '', kind = '' }: Search, kinds: string[]): string {
  const options = kinds.map((each) => {
    const selected = each === kind ? ' selected' : ''
    return `<option value="${each}"${selected}>${wordsOf(each) || 'all kinds'}</option>`
  })
  const what = 'Part of an address or subject'
  return `<form action="/mail" role="search">
<input type="search" name="q" value="${escapeHtml(q)}" maxlength="254" autocomplete="off"
 aria-label="${what}" placeholder="${what}">
<select name="kind" aria-label="Kind">${options.join('')}</select>
<button>Search</button>
</form>`
}

/** One mail, as plain text and with its HTML (`/mail/{id}/html`) in a frame. */
export function mailPage(mail: DevMail & { text: string; userId: string | null }): string {
  const { id, subject, text, userId } = mail
  const user = userId === null ? undefined : `/console/users/${encodeURIComponent(userId)}`
  return htmlPage(
    subject,
    `<p class="second facts">${factsOf(mail, user)}</p>
<iframe src="/mail/${encodeURIComponent(id)}/html" title="The mail as HTML"></iframe>
<h2>Plain text</h2>
<pre>${escapeHtml(text)}</pre>`,
    { ...site, list: { href: '/mail', name: 'All mail' } }
  )
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
] as const

/** Such as "3 minutes ago", with the exact time as its title. */
function timeOf(at: Date, now = Date.now()) {
  const iso = at.toISOString()
  const seconds = (at.getTime() - now) / 1000
  const [unit, length] = units.find((each) => Math.abs(seconds) >= each[1]) ?? ['second', 1]
  const exact = `${iso.slice(0, 19).replace('T', ' ')} UTC`
  const words = unit === 'second' ? 'just now' : relative.format(Math.trunc(seconds / length), unit)
  return `<time datetime="${iso}" title="${exact}">${words}</time>`
}
