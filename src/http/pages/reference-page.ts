import { siteHeader, siteStyle } from '../../html.ts'
import { mark } from './mark.ts'

/**
 * What Swagger UI looks like in the portal: its own styles for light and dark, in the colours and
 * the type of the other pages, and within the width of a phone. `dark-mode` is its class.
 */
const referenceStyle = `${siteStyle}
html.dark-mode, html.dark-mode body, html.dark-mode .swagger-ui { background: var(--surface) }
.site > div { max-width: 1460px; padding-inline: 20px }

/* Its own rules name a class of html in dark mode: these are as specific. */
html .swagger-ui, html .swagger-ui :is(.info .title, .opblock-tag, .opblock-description-wrapper,
  .opblock-summary-description, .opblock-summary-method, .opblock-section-header h4, .tab li,
  table thead tr th, .parameter__name, .parameter__type, .btn, .markdown p, .renderedMarkdown p,
  .response-col_status, .model-title, .info p, .info a, .info li, .opblock-tag small, select,
  label, .servers-title) {
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
html .swagger-ui, html .swagger-ui :is(.info .title, .opblock-tag) { color: var(--text) }
html .swagger-ui .info { margin: 2rem 0 1rem }
html .swagger-ui .info .title { font-size: 1.5rem }
html:is(.dark-mode, :not(.dark-mode)) .swagger-ui .scheme-container {
  margin: 0; padding: 1rem 0; border: 0; background: var(--surface); box-shadow: none;
}
html .swagger-ui :is(.info, .markdown, .renderedMarkdown) a { color: var(--accent) }
html .swagger-ui .opblock-tag { border-color: var(--line); font-size: 1.125rem }
html .swagger-ui .opblock { border-radius: .375rem; box-shadow: none }
html .swagger-ui .opblock .opblock-section-header { box-shadow: none }
/* No response has links. */
html .swagger-ui .response-col_links { display: none }
html .swagger-ui .btn.execute {
  border-color: var(--accent-fill); background: var(--accent-fill); color: #fff;
}

@media (max-width: 48rem) {
  html .swagger-ui .wrapper { padding: 0 1rem }
  html .swagger-ui .opblock-tag { padding-inline: 0 }
  html .swagger-ui .opblock .opblock-summary { padding: .5rem }
  html .swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem }
  html .swagger-ui .opblock .opblock-summary-path { max-width: none; overflow-wrap: anywhere }
  html .swagger-ui .opblock .opblock-summary-description { padding: 0 10px; text-align: start }
  html .swagger-ui .parameters-col_name { width: 7rem }
  html .swagger-ui :is(.microlight, .markdown code) { overflow-wrap: anywhere }
}
`

/** Follows the setting of the reader. Runs in the browser. */
const referenceScript = `(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
})()
`

interface Collection {
  map(change: (tag: Tag) => Tag): Collection
}
interface Tag {
  update(name: 'operations', change: (operations: Operations) => Operations): Tag
}
interface Operation {
  get(name: 'path' | 'method'): string
}
interface Operations {
  findLastIndex(matches: (operation: Operation) => boolean): number
  sortBy(rank: (operation: Operation, index: number) => number): Operations
}
interface System {
  specSelectors: { paths(): Iterable<[string, Iterable<[string]>]> }
  specActions: {
    changeParam(operation: string[], name: string, place: string, value: unknown): void
  }
}
type Entry = Record<string, unknown>

/**
 * Adapts Swagger UI to the portal. The functions run in the browser, so they refer to nothing
 * outside of themselves.
 */
const plugin = () => ({
  fn: {
    /**
     * What is at this path of the document, with the parts to which it refers in place. That of
     * Swagger UI reads the whole document again for each operation that is opened: for seconds.
     */
    async resolveSubtree(document: Entry, path: string[]) {
      const at = (steps: string[]) =>
        steps.reduce<unknown>((value, step) => (value as Entry)[step], document)
      const resolved = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(resolved)
        if (typeof value !== 'object' || value === null) return value
        const { $ref } = value as Entry
        if (typeof $ref === 'string') return resolved(at($ref.slice('#/'.length).split('/')))
        return Object.fromEntries(
          Object.entries(value).map(([name, each]) => [name, resolved(each)])
        )
      }
      return { spec: resolved(at(path)), errors: [] }
    }
  },
  wrapComponents: {
    // A page cannot set the session cookie; signing in with an operation does.
    authorizeBtn: () => () => null,
    authorizeOperationBtn: () => () => null
  },
  statePlugins: {
    spec: {
      wrapSelectors: {
        /** A deletion comes after everything below its path, including deletions. */
        taggedOperations:
          (original: (...args: unknown[]) => Collection) =>
          (...args: unknown[]) =>
            original(...args).map((tag) =>
              tag.update('operations', (operations) =>
                operations.sortBy((operation, index) =>
                  operation.get('method') === 'delete'
                    ? operations.findLastIndex((other) =>
                        `${other.get('path')}/`.startsWith(`${operation.get('path')}/`)
                      ) +
                      1 / operation.get('path').length
                    : index
                )
              )
            ),
        /** Nobody can type the response of a passkey. */
        allowTryItOutFor: () => (_state: unknown, path: string, method: string) =>
          method !== 'post' || !/^\/api\/(auth\/passkey|user\/passkeys)$/.test(path)
      },
      wrapActions: {
        /**
         * Fills in the id or key of the item that was just created, and for operations that only
         * read, that of the first item of the list that was just shown.
         */
        setResponse:
          (original: (...args: unknown[]) => void, { specActions, specSelectors }: System) =>
          (path: string, method: string, response: { status?: number; obj?: Entry }) => {
            original(path, method, response)
            const created = response.status === 201
            const item = created ? response.obj : (response.obj?.items as Entry[] | undefined)?.[0]
            if (!item) return
            for (const [other, operations] of specSelectors.paths()) {
              if (!other.startsWith(`${path}/{`)) continue
              const [name = ''] = other.slice(path.length + 2).split('}')
              if (item[name] === undefined) continue
              for (const [each] of operations) {
                if (created || each === 'get') {
                  specActions.changeParam([other, each], name, 'path', item[name])
                }
              }
            }
          }
      }
    }
  }
})

/** Without the box for the address of another document. */
export const uiConfig = {
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  layout: 'BaseLayout',
  plugins: [plugin]
}

/** Adds to the page what Swagger UI leaves out: the width of a phone, and the way back. */
export const completed = (page: string, site: { hasMail: boolean }) =>
  page
    .replace('<head>', '<head>\n<meta name="viewport" content="width=device-width">')
    .replace('<body>', `<body>\n${siteHeader({ at: '/docs', ...site })}`)

export const theme = {
  title: 'portal: API reference',
  css: [{ filename: 'portal.css', content: referenceStyle }],
  js: [{ filename: 'theme.js', content: referenceScript }],
  favicon: [
    {
      filename: 'icon.svg',
      rel: 'icon',
      sizes: 'any',
      type: 'image/svg+xml',
      content: Buffer.from(mark)
    }
  ]
}
