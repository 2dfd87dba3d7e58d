import { escapeHtml, htmlPage } from '../html.ts'

/** A mail that the development server caught, as its list shows it. */
interface CaughtMail {
  id: string
  kind: string
  to: string
  subject: string
  at: Date
}

const shared = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** Content-Security-Policy of the pages here. */
export const mailPagePolicy = `${shared}; frame-src 'self'; frame-ancestors 'none'`

/**
 * Content-Security-Policy of the HTML of a mail, in a document of its own: no script, no image from
 * elsewhere, no forms. Its links open in new tabs that know nothing of this one.
 */
export const mailHtmlPolicy =
  `${shared}; img-src data:; frame-ancestors 'self'; ` +
  'sandbox allow-popups allow-popups-to-escape-sandbox'

/** The list at `/mail`, in the order given. */
export function mailListPage(mails: readonly CaughtMail[]): string {
  const rows = mails.map(
    ({ id, kind, to, subject, at }) =>
      `<tr><td>${timeOf(at)}</td><td>${escapeHtml(to)}</td><td>${escapeHtml(kind)}</td>` +
      `<td><a href="/mail/${encodeURIComponent(id)}">${escapeHtml(subject)}</a></td></tr>`
  )
  const list = `<table>
<tr><th>Time</th><th>To</th><th>Kind</th><th>Subject</th></tr>
${rows.join('\n')}
</table>`
  return htmlPage(
    'Mail',
    mails.length > 0 ? list : '<p>No mail yet. Mails that the portal would send appear here.</p>'
  )
}

/** One mail, as plain text and with its HTML (`/mail/{id}/html`) in a frame. */
export function mailPage({
  id,
  kind,
  to,
  subject,
  at,
  text
}: CaughtMail & { text: string }): string {
  return htmlPage(
    subject,
    `<p><a href="/mail">All mail</a></p>
<p>To ${escapeHtml(to)}, ${timeOf(at)}, ${escapeHtml(kind)}</p>
<iframe src="/mail/${encodeURIComponent(id)}/html" title="The mail as HTML"></iframe>
<h2>Plain text</h2>
<pre>${escapeHtml(text)}</pre>`
  )
}

const timeOf = (at: Date) => {
  const iso = at.toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}
