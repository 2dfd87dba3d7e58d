import * as nodeModule from 'node:module'

type Next = (specifier: string, context: object) => object

interface Module {
  /** From Node 22.15 on. */
  registerHooks?: (hooks: { resolve: typeof resolve }) => void
  register: (url: string) => void
}

const entries: Record<string, string> = {
  portal: urlOf('index'),
  'portal/testing': urlOf('testing')
}

function urlOf(name: string) {
  return import.meta.url.replace(/own-copy(?=\.[jt]s$)/, name)
}

/** Run in this thread, or as text in the thread of the loader. */
const resolve = (specifier: string, context: object, next: Next) =>
  Object.hasOwn(entries, specifier)
    ? { url: entries[specifier], format: 'module', shortCircuit: true }
    : next(specifier, context)

let done = false

/**
 * Gives an app the copy of the portal that loads it. With another copy, which it may have in its
 * node_modules, its definition and its errors would be those of modules that nobody else uses.
 */
export function shareOwnCopy() {
  if (done) return
  done = true
  const { registerHooks, register } = nodeModule as unknown as Module
  if (registerHooks) return registerHooks({ resolve })
  const data = JSON.stringify(entries)
  const loader = `const entries = ${data}\nexport const resolve = ${String(resolve)}`
  register(`data:text/javascript,${encodeURIComponent(loader)}`)
}
