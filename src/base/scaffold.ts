import { cpSync, existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readText } from '../domain/text-files.ts'
import { AppError } from './load.ts'

const manifestFile = createRequire(import.meta.url).resolve('#package.json')
const root = path.dirname(manifestFile)

/**
 * Writes an app into a new or empty folder.
 * @param source where npm finds the portal
 * @throws AppError
 */
export function createScaffold(folder: string, source?: string) {
  const target = path.resolve(folder)
  const name = path.basename(target)
  if (existsSync(target) && (!statSync(target).isDirectory() || readdirSync(target).length > 0)) {
    throw new AppError(`${target} is in use. Name a folder that does not exist or is empty.`)
  }
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    throw new AppError(
      `${name} cannot be the name of a package. Use lowercase letters, digits and hyphens.`
    )
  }
  cpSync(path.join(root, 'bin/scaffold'), target, { recursive: true })
  // npm would take the name with a dot out of the package.
  renameSync(path.join(target, 'gitignore'), path.join(target, '.gitignore'))
  const file = path.join(target, 'package.json')
  const manifest = JSON.parse(readText(file)) as { dependencies: object }
  const dependencies = { ...manifest.dependencies, portal: source ?? sourceFrom(target) }
  writeFileSync(file, `${JSON.stringify({ ...manifest, name, dependencies }, null, 2)}\n`)
}

/**
 * Where this portal was installed from, or its folder. Never its version alone, because the package
 * need not be in a registry.
 */
function sourceFrom(target: string) {
  const modules = path.dirname(root)
  const file = path.join(modules, '.package-lock.json')
  const { packages = {} } = (existsSync(file) ? JSON.parse(readText(file)) : {}) as {
    packages?: Record<string, { resolved?: string }>
  }
  const resolved = packages['node_modules/portal']?.resolved ?? `file:${root}`
  const local = /^file:(.+)$/.exec(resolved)?.[1]
  if (local === undefined) return resolved
  const from = path.resolve(path.dirname(modules), local)
  return `file:${path.relative(target, from).replaceAll(path.sep, '/')}`
}
