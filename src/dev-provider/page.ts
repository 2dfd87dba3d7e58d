import { escapeHtml, siteStyle } from '../html.ts'
import type { Person } from './people.ts'

const style = `${siteStyle}
main { max-width: 26rem; margin: 0 auto; padding: 12vh 1rem 3rem; box-sizing: border-box }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
p { color: var(--muted); margin: 0 0 1.5rem }
a { color: var(--accent) }
button {
  display: block; width: 100%; margin: 0 0 .75rem; padding: .75rem 1rem; box-sizing: border-box;
  font: inherit; text-align: start; color: var(--text); background: var(--surface);
  border: 1px solid var(--control); border-radius: .625rem; cursor: pointer
}
button:hover { background: var(--sunken) }
button.plain { border-color: transparent; color: var(--muted); text-align: center }
strong, small { display: block }
small { color: var(--muted); font-size: .875rem }
`

/**
 * Content-Security-Policy of the page. The form leads through redirects to the callback of the
 * client, which `form-action` has to allow as well.
 */
export const peoplePolicy = (clientOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    ["form-action 'self'", ...clientOrigins].join(' '),
    "frame-ancestors 'none'"
  ].join('; ')

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`

/** Asks which of these people signs in. */
export const peoplePage = (people: readonly Person[]): string =>
  page(
    'Example provider',
    `<p>Choose who signs in. These people are made up, and need no password. In production, this is
the page of your provider.</p>
<form method="post">
${people.map(buttonOf).join('\n')}
<button class="plain" name="person" value="">Cancel</button>
</form>`
  )

const buttonOf = ({ id, about, claims }: Person) =>
  `<button name="person" value="${escapeHtml(id)}">
<strong>${escapeHtml(claims.name ?? id)}</strong>
<small>${escapeHtml([claims.email, about].filter(Boolean).join(': '))}</small>
</button>`

/** For a page that was open for too long, or in another browser. */
export const endedPage = (): string =>
  page(
    'This sign-in has ended',
    '<p>It was completed, took too long, or began in another browser. Go back and start again.</p>'
  )
