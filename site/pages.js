import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..')

const folders = [
  '.',
  'docs',
  'examples/app',
  'examples/customers',
  'examples/orders',
  'examples/react'
]

/** Every document, named from the root of the repository. */
export const pages = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: folder === 'docs', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
)

export const read = (file) => readFileSync(path.join(root, file), 'utf8')

/** The file of a page in the site. A README is the index of its folder. */
export const htmlOf = (page) => page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')

const kinds = { start: 'Start', do: 'Do', lookup: 'Look up', understand: 'Understand' }

/** The kinds of pages, each with its pages in the order of the table of contents. */
export function contents() {
  const links = [...read('docs/README.md').matchAll(/\[([^\]]+)\]\(([a-z-]+)\/([^)#]+\.md)\)/g)]
  return Object.entries(kinds).map(([folder, name]) => {
    const found = links.filter(([, , kind]) => kind === folder)
    const entries = found.map(([, title, , file]) => ({ title, page: `docs/${folder}/${file}` }))
    return { name, entries: entries.filter(({ page }, at) => pageAt(entries, page) === at) }
  })
}

const pageAt = (entries, page) => entries.findIndex((entry) => entry.page === page)

/** What a link leads to: a page, a file or a folder of the repository, or nothing. */
export function targetOf(page, link) {
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(page), link))
  const full = path.join(root, file)
  if (file.startsWith('..') || !existsSync(full)) throw new Error(`${page}: no file ${link}`)
  if (pages.includes(file)) return { kind: 'page', file }
  return { kind: statSync(full).isDirectory() ? 'folder' : 'file', file }
}
