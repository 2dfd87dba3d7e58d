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

const fence = markdown.renderer.rules.fence
markdown.renderer.rules.fence = (tokens, at, ...rest) =>
  tokens[at].info.trim() === 'mermaid'
    ? `<pre class="mermaid">${markdown.utils.escapeHtml(tokens[at].content)}</pre>\n`
    : fence(tokens, at, ...rest)

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
  tokens.forEach((token, at) => {
    const inline = tokens[at + 1]
    if (token.type === 'heading_open') {
      const title = plainOf(inline)
      const base = slugOf(title)
      const seen = slugs.get(base) ?? 0
      slugs.set(base, seen + 1)
      const id = seen === 0 ? base : `${base}-${seen}`
      token.attrSet('id', id)
      sections.push({ id, title, level: Number(token.tag[1]), text: '' })
    } else if (sections.length > 0 && (token.type === 'inline' || token.type === 'fence')) {
      sections.at(-1).text += ` ${token.type === 'fence' ? token.content : plainOf(token)}`
    }
    for (const child of token.children ?? []) lead(child)
  })
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replace(/(<img [^>]*src=")([^"]+)"/g, (_, before, link) => `${before}${leadTo(link)}"`)
  return { html, sections, others, title: sections[0]?.title ?? page }

  function lead(token) {
    const href = token.type === 'link_open' && token.attrGet('href')
    if (href && !/^(https?:|#)/.test(href)) token.attrSet('href', leadTo(decodeURI(href)))
  }

  /** The address of what a link names, from this page of the site. */
  function leadTo(link) {
    const [file, anchor] = link.split('#', 2)
    const target = targetOf(page, file)
    if (target.kind !== 'page') others.push(target)
    const to = target.kind === 'page' ? htmlOf(target.file) : fileOf(target)
    const from = path.posix.dirname(htmlOf(page))
    return path.posix.relative(from, to) + (anchor === undefined ? '' : `#${anchor}`)
  }
}

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
