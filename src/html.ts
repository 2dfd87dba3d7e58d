import { escapeHtml } from './domain/texts.ts'

/** Content-Security-Policy of `htmlPage`, without `frame-src`. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

const places = {
  '/console': 'Console',
  '/mail': 'Mail',
  '/docs': 'API reference',
  '/problems': 'Problem codes'
} as const
type Place = keyof typeof places

interface SiteHeader {
  /** Where this page belongs, if it is one of these. */
  at?: Place
  /** Whether /mail exists. */
  hasMail: boolean
}

/** The way between the pages for developers. */
function siteHeader({ at, hasMail }: SiteHeader): string {
  const links = (Object.keys(places) as Place[])
    .filter((place) => hasMail || place !== '/mail')
    .map((place) => {
      const current = place === at ? ' aria-current="page"' : ''
      return `<a href="${place}"${current}>${places[place]}</a>`
    })
  return `<header class="site"><div>
<a href="/" class="name"><img src="/favicon.ico" alt="" width="24" height="24"> portal</a>
<nav aria-label="Pages for developers">
${links.join('\n')}
</nav></div></header>`
}

/** The colours and sizes of these pages: those of the console (src/pages/shared/tokens.css). */
export const siteStyle = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f6f7f9, #0e1014);
  --surface: light-dark(#fff, #14171c);
  --sunken: light-dark(#eff1f4, #1b1f26);
  --line: light-dark(#e3e6eb, #2a2f39);
  --control: light-dark(#878e9b, #6d7584);
  --text: light-dark(#1a1d23, #e7e9ee);
  --muted: light-dark(#596070, #9ba3b2);
  --accent: light-dark(#3b55d0, #9bacff);
  --accent-fill: light-dark(#3b55d0, #4159d3);
}
body {
  margin: 0; background: var(--surface); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
.site { border-bottom: 1px solid var(--line) }
.site > div, .site nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center }
.site > div { padding: .75rem 1rem }
.site img { margin-inline-end: .25rem; vertical-align: middle }
.site > div, main { max-width: 60rem; margin-inline: auto; box-sizing: border-box }
.site a { color: var(--muted); text-decoration: none; font-size: .9375rem }
.site a:hover { color: var(--text) }
.site :is(.name, [aria-current]) { color: var(--text); font-weight: 600 }
@media (width < 40rem) { .site nav { column-gap: .75rem } .site nav a { font-size: .875rem } }
`

const pageStyle = `
main { padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 2rem 0 .75rem; font-size: 1.125rem }
a { color: var(--accent) }
code, pre { font-family: ui-monospace, 'Cascadia Mono', Menlo, monospace; font-size: .85em }
p > code { display: inline-block; max-width: 100% }
pre { padding: 1rem; border-radius: .375rem; background: var(--sunken); white-space: pre-wrap }
table { border-collapse: collapse; width: 100% }
th, td { padding: .5rem 1rem .5rem 0; text-align: start; vertical-align: top }
th, td:first-child { overflow-wrap: normal }
tr { border-bottom: 1px solid var(--line) }
@media (width < 40rem) {
  tr { display: grid; grid-template-columns: 4rem 1fr }
  td:nth-child(-n + 2) { padding-bottom: 0 }
  td:nth-child(3) { grid-column: 2; padding-top: 0 }
  th:nth-child(3) { display: none }
}
th, .second { color: var(--muted); font-weight: 400; font-size: .875rem }
iframe {
  width: 100%; height: 58rem; box-sizing: border-box;
  border: 1px solid var(--line); border-radius: .625rem; background: var(--surface)
}
@media (min-width: 40rem) { iframe { height: 36rem } }
form { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem }
input, select, button {
  min-height: 2.5rem; padding: 0 .75rem; box-sizing: border-box; font: inherit;
  border: 1px solid var(--control); border-radius: .375rem;
  background: var(--surface); color: var(--text)
}
input { flex: 4 1 16rem; min-width: 0 }
select { flex: 1 1 8rem; min-width: 0 }
button { border-color: transparent; background: var(--accent-fill); color: #fff }
.list { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line) }
.list li { padding: .625rem 0; border-bottom: 1px solid var(--line) }
.cards { display: grid; gap: 1rem; margin: 1.5rem 0 2rem; padding: 0; list-style: none }
@media (width >= 44rem) { .cards { grid-auto-flow: column; grid-auto-columns: 1fr } }
.cards li { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .625rem }
.cards li > a { font-size: 1.125rem; font-weight: 600 }
.cards p { margin: .5rem 0 }
.cards pre { margin: 0; padding: .5rem .75rem; user-select: all }
.facts > * { display: inline-block; margin-inline-end: 1rem }
.list .facts > :first-child {
  display: block; margin: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap
}
.list a { display: block; font-weight: 600; text-decoration: none }
@media (width >= 62rem) {
  .list li, .list .facts { display: grid; gap: 1rem; align-items: baseline }
  .list li { grid-template-columns: 2fr 3fr }
  .list .facts { grid-template-columns: 3fr 2fr 7rem }
  .list .facts > * { margin: 0 }
}
.list a:hover { text-decoration: underline }
`

interface Site extends SiteHeader {
  /** The list that this page is an item of. */
  list?: { href: Place; name: string }
}

const backTo = ({ href, name }: NonNullable<Site['list']>) =>
  `<p class="second"><a href="${href}"><span aria-hidden="true">←</span> ${name}</a></p>`

/** A page for developers, with `body` as HTML. */
export const htmlPage = (title: string, body: string, site: Site): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.ico">
<style>${siteStyle}${pageStyle}</style>
</head>
<body>
${siteHeader(site)}
<main>
${site.list ? backTo(site.list) : ''}
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
