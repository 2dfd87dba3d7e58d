import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import MiniSearch from 'minisearch'
import { escapeHtml, fileOf, plain, plainNameOf, render } from './markdown.js'
import { contents, htmlOf, pages, read, root } from './pages.js'

// node build.js [FOLDER] writes the documents as a site that needs no server: every address is
// relative, scripts are classic ones, and the index of the search is a script. Browsers load neither
// modules nor data from files.

const out = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'dist'))
const packages = path.join(import.meta.dirname, 'node_modules')

rmSync(out, { recursive: true, force: true })
const groups = contents()
const listed = groups.flatMap(({ kinds }) => kinds.flatMap(({ entries }) => entries))
const rendered = new Map(pages.map((page) => [page, render(page, read(page))]))
const first = [
  { page: 'docs/README.md', title: 'All pages' },
  { page: 'docs/questions.md', title: 'Ten questions' },
  { page: 'CHANGELOG.md', title: 'Changelog' }
]
const found = []
const others = new Map()
for (const [page, content] of rendered) {
  for (const other of content.others) others.set(other.file, other)
  for (const { id, title, text, level } of content.sections) {
    const address = htmlOf(page) + (level === 1 ? '' : `#${id}`)
    found.push({ id: address, page: content.title, title, text })
  }
  write(htmlOf(page), layout(page, content))
  write(plainNameOf(page), plain(page, read(page)))
}
write('llms.txt', listForModels())
for (const other of others.values()) copy(other)
writeSearch()

const theme = path.join(import.meta.dirname, 'theme')
for (const file of readdirSync(theme)) cpSync(path.join(theme, file), path.join(out, file))
cpSync(path.join(root, 'src/pages/shared/tokens.css'), path.join(out, 'tokens.css'))
cpSync(path.join(root, 'docs/images/mark.svg'), path.join(out, 'mark.svg'))
cpSync(path.join(packages, 'minisearch/dist/umd/index.js'), path.join(out, 'minisearch.js'))
cpSync(path.join(packages, 'mermaid/dist/mermaid.min.js'), path.join(out, 'mermaid.js'))
console.log(`${pages.length} pages in ${out}`)

function write(file, text) {
  mkdirSync(path.dirname(path.join(out, file)), { recursive: true })
  writeFileSync(path.join(out, file), text)
}

/** Copies what a page links to; of a folder also the list of its files. */
function copy({ kind, file }) {
  const to = path.join(out, fileOf({ kind, file }))
  if (kind === 'file') return cpSync(path.join(root, file), to)
  const names = readdirSync(path.join(root, file), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  for (const name of names) copy({ kind: 'file', file: `${file}/${name}` })
  const items = names.map((name) => `<li><a href="${name}.txt">${name}</a></li>`).join('\n')
  write(
    path.relative(out, to),
    `<!doctype html><meta charset="utf-8"><title>${file}</title>\n<h1>${file}</h1>\n<ul>\n${items}\n</ul>\n`
  )
}

function writeSearch() {
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page']
  })
  search.addAll(found)
  write('search-index.js', `window.searchIndex = ${JSON.stringify(JSON.stringify(search))}\n`)
}

/** The list of llmstxt.org: what the portal is, in the words of its README, and every page. */
function listForModels() {
  const readme = plain('README.md', read('README.md'))
  const [, lead, more] = readme.match(/^# portal\n\n(.+?)\n\n(.+?)\n\n!\[/ms)
  const lineOf = ({ title, page }) =>
    `- [${title}](${plainNameOf(page)}): ${rendered.get(page).about}\n`
  const others = pages
    .filter((page) => !listed.some((entry) => entry.page === page))
    .map((page) => ({ page, title: rendered.get(page).title }))
  const lists = [...groups, { name: 'Optional', kinds: [{ entries: others }] }].map(
    ({ name, kinds }) =>
      `\n## ${name}\n\n${kinds.flatMap(({ entries }) => entries.map(lineOf)).join('')}`
  )
  return `# portal\n\n> ${lead.replaceAll('\n', ' ')}\n\n${more}\n${lists.join('')}`
}

/** README as the first page: what the portal is, then where each reader goes, then why. */
function landing(html) {
  const [intro, why, where] = html.split(/(?=<h2)/)
  const [text, picture] = intro.split(/(?=<p><img)/)
  const [ways, end] = where.split('</table></div>')
  const cards = ways
    .replace(/<div class="table"[^]*<tbody>/, '<ul class="ways">')
    .replace(/<tr>\s*<td>(.*)<\/td>\s*<td>/g, '<li><h3>You $1</h3> ')
    .replaceAll(/<\/td>\s*<\/tr>/g, '</li>')
    .replace('</tbody>', '</ul>')
  return `<div class="hero"><div>${text}</div>${picture}</div>${cards}${why}${end}`
}

function layout(page, { html, title, about, sections }) {
  const file = htmlOf(page)
  const base = path.posix.relative(path.posix.dirname(file), '.') || '.'
  const to = (target) => path.posix.relative(path.posix.dirname(file), target)
  const hrefOf = (entry) => `href="${to(htmlOf(entry.page))}"`
  const entry = (entry) =>
    `<li><a ${hrefOf(entry)}${entry.page === page ? ' aria-current="page"' : ''}>${entry.title}</a></li>`
  const list = ({ name, entries }) => `<p>${name}</p><ul>${entries.map(entry).join('\n')}</ul>`
  const isHere = ({ kinds }) => kinds.some(({ entries }) => entries.some((e) => e.page === page))
  const navigation = groups
    .map(
      (group) =>
        `<details${isHere(group) ? ' open' : ''}><summary>${group.name}</summary>` +
        `${group.kinds.map(list).join('\n')}</details>`
    )
    .join('\n')
  const isFirst = page === 'README.md'
  const outline = sections
    .filter(({ level }) => level === 2 || (level === 3 && sections.length <= 30))
    .map(
      ({ id, title, level }) => `<li class="of-${level}"><a href="#${id}">${escapeHtml(title)}</a>`
    )
  const hasOutline = !isFirst && outline.length > 1
  const at = listed.findIndex((entry) => entry.page === page)
  const [before, after] = at < 0 ? [] : [listed[at - 1], listed[at + 1]]
  const scripts = ['minisearch', 'search-index', 'site']
  if (html.includes('<pre class="mermaid">')) scripts.push('mermaid', 'diagrams')
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(about)}">
<title>${sections[0] && !isFirst ? `${escapeHtml(title)} · portal` : 'portal'}</title>
<link rel="icon" href="${to('mark.svg')}">
<link rel="alternate" type="text/markdown" href="${to(plainNameOf(page))}">
<link rel="stylesheet" href="${to('tokens.css')}">
<link rel="stylesheet" href="${to('site.css')}">
<noscript><style>form { display: none }</style></noscript>
</head>
<body${isFirst ? ' class="landing"' : ''}>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="name" href="${to('index.html')}"><img src="${to('mark.svg')}" width="24" height="24" alt=""> <span>portal</span></a>
<button popovertarget="pages">Pages</button>
${hasOutline ? '<button popovertarget="outline">On this page</button>' : ''}
<form role="search">
<input type="search" placeholder="Search" aria-label="Search" autocomplete="off" aria-keyshortcuts="/">
<ol hidden></ol>
</form>
</header>
<nav id="pages" popover aria-label="Pages">
<ul>${first.map(entry).join('\n')}</ul>
${navigation}
</nav>
<main id="main">${isFirst ? landing(html) : html}
<footer>
${before ? `<a rel="prev" ${hrefOf(before)}>← Previous: ${before.title}</a>` : ''}
${after ? `<a rel="next" ${hrefOf(after)}>Next: ${after.title} →</a>` : ''}
<a href="${to(plainNameOf(page))}">As plain text</a>
</footer>
</main>
${hasOutline ? `<nav id="outline" popover aria-label="On this page"><p>On this page</p><ul>${outline.join('\n')}</ul></nav>` : ''}
${scripts.map((name) => `<script defer src="${to(`${name}.js`)}"></script>`).join('\n')}
</body>
</html>
`
}
