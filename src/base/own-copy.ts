import * as nodeModule from 'node:module'

type Next = (specifier: string, context: object) => object

interface Module {
  /** From Node 22.15 on. */
  registerHooks?: (hooks: {
    resolve: (specifier: string, context: object, next: Next) => object
  }) => void
  register: (url: string) => void
}

const entries: Record<string, string> = {
  portal: urlOf('index'),
  'portal/testing': urlOf('testing')
}

function urlOf(name: string) {
  return import.meta.url.replace(/own-copy(?=\.[jt]s$)/, name)
}

let done = false

/**
 * Gives an app the copy of the portal that loads it. With another copy, which it may have in its
 * node_modules, its definition and its errors would be those of modules that nobody else uses.
 */
export function shareOwnCopy() {
  if (done) return
  done = true
  const { registerHooks, register } = nodeModule as unknown as Module
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) =>
        Object.hasOwn(entries, specifier)
          ? { url: entries[specifier], format: 'module', shortCircuit: true }
          : next(specifier, context)
    })
    return
  }
  const hook =
    `const entries = ${JSON.stringify(entries)}\n` +
    'export const resolve = async (specifier, context, next) =>\n' +
    '  Object.hasOwn(entries, specifier)\n' +
    "    ? { url: entries[specifier], format: 'module', shortCircuit: true }\n" +
    '    : next(specifier, context)\n'
  register(`data:text/javascript,${encodeURIComponent(hook)}`)
}
