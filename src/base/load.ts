import { existsSync, realpathSync, statSync } from 'node:fs'
import * as nodeModule from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { faultsOf } from './faults.ts'
import { isDefinition } from './definition.ts'
import type { AppDefinition } from './definition.ts'
import { placeInDefinition, placeOf } from './places.ts'

/** An app that can be served. */
export interface LoadedApp {
  definition: AppDefinition
  /** The file that defines it. */
  file: string
  folder: string
  /** The folders that it has of `routes`, `plugins` and `migrations`. */
  routes?: string
  plugins?: string
  migrations?: string
}

/** The app cannot be served: names what is wrong, with the file, and what to do. */
export class AppError extends Error {
  override name = 'AppError'
}

/** An error that the code of an app throws while it is loaded. */
export function toAppError(error: unknown, { folder, file }: Pick<LoadedApp, 'folder' | 'file'>) {
  if (error instanceof AppError) return error
  const place = placeOf(error, folder) ?? file
  return new AppError(`${place}: cannot be loaded: ${String(error)}`, { cause: error })
}

/**
 * Loads an app from its folder.
 * @throws AppError
 */
export async function loadApp(folder: string): Promise<LoadedApp> {
  const file = definitionIn(path.resolve(folder))
  shareOwnCopy()
  const { default: definition } = await importFrom(file)
  if (!isDefinition(definition)) {
    throw new AppError(
      `${file}: the default export does not come from defineApp. Write: ` +
        "import { defineApp } from 'portal'; export default defineApp({ … })"
    )
  }
  return withFolders(definition, file)
}

/**
 * @param file the file of the definition
 * @throws AppError
 */
export function withFolders(definition: AppDefinition, file: string): LoadedApp {
  const faults = faultsOf(definition)
  if (faults.length > 0) {
    throw new AppError(
      faults.map(({ path, text }) => `${placeInDefinition(path, file)}: ${text}`).join('\n')
    )
  }
  const folder = path.dirname(file)
  const folders = ['routes', 'plugins', 'migrations'].map((name) => [name, path.join(folder, name)])
  const existing = folders.filter(([, each]) => existsSync(each ?? ''))
  return { definition, file, folder, ...Object.fromEntries(existing) }
}

const howToCreate = 'Create an app with: portal init NAME'

function definitionIn(folder: string) {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) throw new AppError(`There is no folder ${folder}. ${howToCreate}`)
  if (!found.isDirectory()) {
    throw new AppError(`${folder} is a file. Name the folder of the app, which has portal.ts`)
  }
  const [file, other] = ['portal.ts', 'portal.js', 'portal.mjs']
    .map((name) => path.join(realpathSync(folder), name))
    .filter((each) => existsSync(each))
  if (file === undefined) {
    throw new AppError(
      `${folder} has no portal.ts and no portal.js, which defines the app. ${howToCreate}`
    )
  }
  if (other !== undefined) {
    throw new AppError(`${file} and ${other} both define an app. Remove one of them`)
  }
  return file
}

/**
 * Imports a file of the app.
 * @throws AppError
 */
export async function importFrom(file: string, folder = path.dirname(file)) {
  try {
    return (await import(pathToFileURL(file).href)) as { default?: unknown }
  } catch (error) {
    throw toAppError(error, { folder, file })
  }
}

type Next = (specifier: string, context: object) => object

const urlOf = (name: string) => import.meta.url.replace(/load(?=\.[jt]s$)/, name)
const entries: Record<string, string> = {
  portal: urlOf('index'),
  'portal/testing': urlOf('testing')
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
function shareOwnCopy() {
  if (done) return
  done = true
  // From Node 22.15 on.
  const { registerHooks } = nodeModule as { registerHooks?: (hooks: object) => void }
  if (registerHooks) return registerHooks({ resolve })
  const data = JSON.stringify(entries)
  const loader = `const entries = ${data}\nexport const resolve = ${String(resolve)}`
  nodeModule.register(`data:text/javascript,${encodeURIComponent(loader)}`)
}
