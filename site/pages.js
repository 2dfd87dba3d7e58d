import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..')

const folders = ['.', 'docs', 'examples/app', 'examples/customers', 'examples/orders']

/** Every document, named from the root of the repository. */
export const pages = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: folder === 'docs', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
)

export const read = (file) => readFileSync(path.join(root, file), 'utf8')

/** The file of a page in the site. A README is the index of its folder. */
export const htmlOf = (page) => page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')

/** The kinds of readers, each with kinds of pages in the order of the table of contents. */
export function contents() {
  return read('docs/README.md')
    .split(/^## You /m)
    .slice(1)
    .map((text) => {
      const [, ...parts] = text.split(/^\*\*(.+)\*\*$/m)
      const kinds = parts.flatMap((name, at) =>
        at % 2 === 0 ? [{ name, entries: entriesOf(parts[at + 1]) }] : []
      )
      return { name: capital(text.split('\n', 1)[0]), kinds }
    })
}

/** The pages of a list, without places within a page. */
const entriesOf = (list) =>
  [...list.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(([, title, link]) => ({
    title: capital(title),
    page: targetOf('docs/README.md', link).file
  }))

const capital = (text) => text[0].toUpperCase() + text.slice(1)

/** What a link leads to: a page, a file or a folder of the repository, or nothing. */
export function targetOf(page, link) {
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(page), link))
  const full = path.join(root, file)
  if (file.startsWith('..') || !existsSync(full)) throw new Error(`${page}: no file ${link}`)
  if (pages.includes(file)) return { kind: 'page', file }
  return { kind: statSync(full).isDirectory() ? 'folder' : 'file', file }
}
