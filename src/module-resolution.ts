import * as nodeModule from 'node:module'

interface Resolved {
  url: string
}

type Resolve = (
  specifier: string,
  context: { parentURL?: string; conditions?: readonly string[] },
  next: (specifier: string, context: object) => Resolved
) => Resolved

// From Node 22 on, the package.json of a package is parsed again for each of its files and for each
// import of it. That of drizzle-orm has 179 KB, and the portal loads hundreds of its files: a
// second of processor time and 200 MB at each start. Its files are ECMAScript modules, which name
// each other with their extension.
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void }
const root = new URL('..', import.meta.url).href
const folders = ['src', 'plugins', 'routes', 'db', 'test'].map((folder) => `${root}${folder}/`)
const isPortal = (url: string) => folders.some((folder) => url.startsWith(folder))
const ownFile = /\/node_modules\/drizzle-orm\/(?!node_modules\/)/
const entries = new Map<string, Resolved>()
const found = ({ url }: Resolved) => ({ url, format: 'module', shortCircuit: true })
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions = [] } = context
    if (conditions.includes('require')) return next(specifier, context)
    if (specifier.startsWith('.') && ownFile.test(parentURL)) {
      return found({ url: new URL(specifier, parentURL).href })
    }
    // Others, such as an app that is built on the portal, may have another copy.
    if (!/^drizzle-orm(\/|$)/.test(specifier) || !isPortal(parentURL)) {
      return next(specifier, context)
    }
    const entry = entries.get(specifier) ?? next(specifier, context)
    entries.set(specifier, entry)
    return found(entry)
  }
})
