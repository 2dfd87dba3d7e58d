import * as nodeModule from 'node:module'

interface Resolved {
  url: string
}

type Resolve = (
  specifier: string,
  context: { parentURL?: string; conditions?: readonly string[] },
  next: (specifier: string, context: object) => Resolved
) => Resolved

// For each import Node looks for the file, its real path and the package.json above it. From Node
// 22 on, that is parsed again for each of them. The one of drizzle-orm has 179 KB, and the portal
// loads hundreds of its files: a second of processor time and 200 MB at each start. This hook joins
// the relative path of an ECMAScript module to the address of the file that imports it, without a
// look at the disk, and resolves each package that the portal imports only once.
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void }
const root = new URL('..', import.meta.url).href
const folders = ['src', 'plugins', 'routes', 'db', 'test'].map((folder) => `${root}${folder}/`)
const isPortal = (url: string) => folders.some((folder) => url.startsWith(folder))
const isOfDrizzle = (url: string) => /\/node_modules\/drizzle-orm\/(?!node_modules\/)/.test(url)
const packages = new Map<string, Resolved>()
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions = [] } = context
    if (conditions.includes('require')) return next(specifier, context)
    if (specifier.startsWith('.')) {
      const isModule =
        specifier.endsWith('.mjs') ||
        (specifier.endsWith('.js') && (isPortal(parentURL) || isOfDrizzle(parentURL)))
      if (!isModule) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    // An app that is built on the portal may have other copies.
    if (!/^[@a-z][^:]*$/.test(specifier) || !isPortal(parentURL)) return next(specifier, context)
    const found = packages.get(specifier) ?? next(specifier, context)
    packages.set(specifier, found)
    return { ...found, shortCircuit: true }
  }
})
