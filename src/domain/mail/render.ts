import { escapeHtml } from '../texts.ts'

/** A piece of a mail. Everything in it is plain text: only this file knows HTML. */
export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'button'; label: string; url: string }
  | { type: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  | { type: 'code'; code: string }

/** The look of the account pages, as far as a mail has it. */
export interface Look {
  /** The colours of the button, as `#rrggbb`. */
  accent: { fill: string; on: string }
  /** The address of ACCOUNT_LOGO, where the account pages serve it. */
  logo?: string | undefined
}

interface Content {
  subject: string
  locale: string
  /** Whose mail it is. */
  product: string
  look: Look
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

// Without the subject, which programs show above a text. A paragraph is one line: they fill lines
// of the width that they have.
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

// A program that knows no media query shows the light colours. Tables and inline styles, because
// some programs know no other layout.
const font = 'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const style = {
  page: `margin:0;padding:0;background:#f6f7f9;color:#1a1d23;${font}`,
  outer: 'width:100%;border-collapse:collapse',
  around: 'padding:24px 16px',
  column:
    'width:100%;max-width:36rem;margin:0 auto;border-collapse:separate;border-spacing:0;' + font,
  product: 'padding:0 0 16px;font-weight:600;text-align:start;overflow-wrap:anywhere',
  logo: 'display:block;max-width:12rem;max-height:2.5rem',
  body:
    'padding:24px 24px 8px;background:#fff;border:1px solid #e3e6eb;border-radius:10px;' +
    'overflow-wrap:anywhere;text-align:start',
  headline: 'margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;' +
    'text-decoration:none;font-weight:600',
  facts:
    'width:100%;border-collapse:separate;border-spacing:0;background:#f6f7f9;border-radius:6px;' +
    'padding:8px 12px',
  label:
    'padding:2px 16px 2px 0;text-align:start;vertical-align:top;font-weight:400;color:#596070;' +
    'white-space:nowrap;width:1%',
  value: 'padding:2px 0;text-align:start',
  code:
    'padding:12px;background:#f6f7f9;border-radius:6px;' +
    'font:18px/1.4 ui-monospace,monospace;overflow-wrap:anywhere',
  footer: 'padding:16px 0 0;font-size:13px;color:#596070;overflow-wrap:anywhere;text-align:start'
}

/** For programs that know media queries: dark colours, and labels above their values on a phone. */
const rules = `@media (prefers-color-scheme: dark) {
.page { background: #0e1014 !important; color: #e7e9ee !important }
.card { background: #14171c !important; border-color: #2a2f39 !important }
.soft { background: #1e222a !important }
.quiet { color: #9ba3b2 !important }
.link { color: #9bacff !important }
}
@media (max-width: 30rem) {
.facts th, .facts td { display: block !important; width: auto !important }
}`

function renderHtml({ subject, locale, product, look, blocks, footer }: Content): string {
  const name = escapeHtml(product)
  const head = look.logo
    ? `<img src="${escapeHtml(look.logo)}" alt="${name}" style="${style.logo}">`
    : name
  const primary = blocks.find(({ type }) => type === 'button')
  const written = blocks.map((block) => htmlOf(block, block === primary ? look : undefined))
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${rules}</style>
</head>
<body class="page" style="${style.page}">
<table role="presentation" class="page" style="${style.outer}"><tr><td style="${style.around}">
<table role="presentation" style="${style.column}">
<tr><td style="${style.product}">${head}</td></tr>
<tr><td class="card" style="${style.body}">
<h1 style="${style.headline}">${escapeHtml(subject)}</h1>
${written.join('\n')}
</td></tr>
<tr><td class="quiet" style="${style.footer}">${escapeHtml(footer)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** @param look that of the primary button. The others are links. */
function htmlOf(block: Block, look?: Look): string {
  if (block.type === 'paragraph') return `<p>${escapeHtml(block.text)}</p>`
  if (block.type === 'button') {
    // A new tab without an opener, for the frame in which the development server shows mails.
    const tab = 'target="_blank" rel="noopener noreferrer"'
    const colours = look && `background:${look.accent.fill};color:${look.accent.on};`
    const own = colours ? `style="${colours}${style.button}"` : 'class="link" style="color:#3b55d0"'
    return `<p><a href="${escapeHtml(block.url)}" ${own} ${tab}>${escapeHtml(block.label)}</a></p>`
  }
  if (block.type === 'facts') {
    const rows = block.facts.map(
      ([label, value]) =>
        `<tr><th class="quiet" style="${style.label}">${escapeHtml(label)}</th>` +
        `<td style="${style.value}">${escapeHtml(value)}</td></tr>`
    )
    return `<table class="facts soft" style="${style.facts}">\n${rows.join('\n')}\n</table>`
  }
  return `<p class="soft" style="${style.code}">${escapeHtml(block.code)}</p>`
}
