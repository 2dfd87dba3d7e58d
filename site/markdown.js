import path from 'node:path'
import hljs from 'highlight.js'
import markdownIt from 'markdown-it'
import { htmlOf, targetOf } from './pages.js'

/** As GitHub names headings, so that the links of the documents hold on both. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

const markdown = markdownIt({ html: true, highlight })

function highlight(code, language) {
  const known = language === 'jsx' || language === 'tsx' ? 'typescript' : language
  if (!hljs.getLanguage(known)) return ''
  return hljs.highlight(code, { language: known }).value
}

export const { escapeHtml } = markdown.utils

// A long line scrolls by itself, and site.js adds a button that copies.
const fence = markdown.renderer.rules.fence
markdown.renderer.rules.fence = (tokens, at, ...rest) =>
  tokens[at].info.trim() === 'mermaid'
    ? `<pre class="mermaid">${escapeHtml(tokens[at].content)}</pre>\n`
    : `<div class="code">${fence(tokens, at, ...rest).replace('<pre', '<pre tabindex="0"')}</div>\n`

// A wide table scrolls by itself.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'

/**
 * Renders a page. Returns its HTML, its sections for the search, and the files and folders of the
 * repository to which it links.
 */
export function render(page, text) {
  const others = []
  const sections = []
  const slugs = new Map()
  const tokens = markdown.parse(text, {})
  let isWithin = false // a part with a heading
  tokens.forEach((token, at) => {
    const inline = tokens[at + 1]
    const step = token.type === 'paragraph_open' && inline.content.match(/^\*\*(\d+\. .+?)\W?\*\*/)
    if (token.type === 'heading_open' || step) {
      const title = step ? step[1].replaceAll('`', '') : plainOf(inline)
      const level = step ? (isWithin ? 3 : 2) : Number(token.tag[1])
      isWithin ||= token.tag === 'h2'
      const base = slugOf(title)
      const seen = slugs.get(base) ?? 0
      slugs.set(base, seen + 1)
      const id = seen === 0 ? base : `${base}-${seen}`
      token.attrSet('id', id)
      sections.push({ id, title, level, text: '' })
    } else if (sections.length > 0 && (token.type === 'inline' || token.type === 'fence')) {
      sections.at(-1).text += ` ${token.type === 'fence' ? token.content : plainOf(token)}`
    }
    for (const child of token.children ?? []) lead(child)
  })
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll('<th></th>', '<td></td>') // a heading without a name is none
    .replace(/(<img [^>]*src=")([^"]+)"/g, (_, before, link) => `${before}${leadTo(link)}"`)
  const first = sections[0]?.text.slice(sections[0].title.length + 2) ?? ''
  const about = first.match(/^.+?[.?!](?= |$)/)?.[0] ?? first
  return { html, sections, others, about, title: sections[0]?.title ?? page }

  function lead(token) {
    const href = token.type === 'link_open' && token.attrGet('href')
    if (href && !isOutside(href)) token.attrSet('href', leadTo(decodeURI(href)))
  }

  function leadTo(link) {
    const target = targetOf(page, link.split('#', 1)[0])
    if (target.kind !== 'page') others.push(target)
    return addressOf(page, link, htmlOf)
  }
}

const isOutside = (link) => /^(https?:|#)/.test(link)

/** The address of what a link names, from this page of the site. */
function addressOf(page, link, nameOf) {
  const [file, anchor] = link.split('#', 2)
  const target = targetOf(page, file)
  const to = target.kind === 'page' ? nameOf(target.file) : fileOf(target)
  const from = path.posix.dirname(htmlOf(page))
  return path.posix.relative(from, to) + (anchor === undefined ? '' : `#${anchor}`)
}

/** The page as Markdown beside its HTML, as llmstxt.org names it. */
export const plainNameOf = (page) => `${htmlOf(page)}.md`

const code = /^ *(```|~~~)[^]*?^ *\1`*$|`[^`\n]+`|(?<=\]\()[^)\s]+(?=\))/gm

/** The text of a page with links that hold in the site, and without what fences tell the tests. */
export const plain = (page, text) =>
  text.replace(code, (found, fence) => {
    if (fence) return found.replace(/^( *(?:```+|~~~)\S*).*/, '$1')
    return found.startsWith('`') || isOutside(found) ? found : addressOf(page, found, plainNameOf)
  })

/** Where the site has a file of the repository: an image as it is, everything else as text. */
export function fileOf({ kind, file }) {
  if (/\.(png|svg)$/.test(file)) return file
  return kind === 'folder' ? `files/${file}/index.html` : `files/${file}.txt`
}

const plainOf = (token) =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim()
