import { siteHeader } from '../../html.ts'
import { mark } from './mark.ts'
import { referenceScript, referenceStyle } from './reference-style.ts'

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
