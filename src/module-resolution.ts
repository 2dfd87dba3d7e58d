import * as nodeModule from 'node:module'

type Resolve = (
  specifier: string,
  context: { parentURL?: string },
  next: (specifier: string, context: object) => object
) => object

// From Node 22 on, the package.json of a package is parsed again for each of its files. That of
// drizzle-orm has 179 KB, and the portal loads hundreds of its files: half a second of processor
// time and 200 MB at each start. Its files are ECMAScript modules, which name each other with their
// extension.
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void }
registerHooks?.({
  resolve(specifier, context, next) {
    const isOwn =
      specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')
    return isOwn
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context)
  }
})
