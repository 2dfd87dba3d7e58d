import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import MiniSearch from 'minisearch'
import { fileOf, render } from './markdown.js'
import { contents, htmlOf, pages, read, root } from './pages.js'

// node build.js [FOLDER] writes the documents as a site that needs no server: every address is
// relative, scripts are classic ones, and the index of the search is a script. Browsers load neither
// modules nor data from files.

const out = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'dist'))
const packages = path.join(import.meta.dirname, 'node_modules')

rmSync(out, { recursive: true, force: true })
const kinds = contents()
const found = []
const others = new Map()
for (const page of pages) {
  const rendered = render(page, read(page))
  for (const other of rendered.others) others.set(other.file, other)
  for (const { id, title, text, level } of rendered.sections) {
    const address = htmlOf(page) + (level === 1 ? '' : `#${id}`)
    found.push({ id: address, page: rendered.title, title, text })
  }
  write(htmlOf(page), layout(page, rendered))
}
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

function layout(page, { html, title, sections }) {
  const file = htmlOf(page)
  const base = path.posix.relative(path.posix.dirname(file), '.') || '.'
  const to = (target) => path.posix.relative(path.posix.dirname(file), target)
  const entry = ({ title, page: other }) =>
    `<li><a href="${to(htmlOf(other))}"${other === page ? ' aria-current="page"' : ''}>${title}</a></li>`
  const navigation = kinds
    .map(
      ({ name, entries }) =>
        `<details${entries.some((each) => each.page === page) ? ' open' : ''}>` +
        `<summary>${name}</summary><ul>${entries.map(entry).join('\n')}</ul></details>`
    )
    .join('\n')
  const scripts = ['minisearch', 'search-index', 'site']
  if (html.includes('<pre class="mermaid">')) scripts.push('mermaid', 'diagrams')
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${sections[0] ? `${title} · portal` : 'portal'}</title>
<link rel="icon" href="${to('mark.svg')}">
<link rel="stylesheet" href="${to('tokens.css')}">
<link rel="stylesheet" href="${to('site.css')}">
</head>
<body>
<header>
<a class="name" href="${to('index.html')}"><img src="${to('mark.svg')}" width="24" height="24" alt=""> portal</a>
<a href="${to('docs/index.html')}">All pages</a>
<a href="${to('CHANGELOG.html')}">Changelog</a>
<form role="search">
<input type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off">
<ol hidden></ol>
</form>
</header>
<nav aria-label="Pages">${navigation}</nav>
<main>${html}</main>
${scripts.map((name) => `<script defer src="${to(`${name}.js`)}"></script>`).join('\n')}
</body>
</html>
`
}
