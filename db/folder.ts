import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Everything that the modules of a folder export, in the order of their names. */
export async function exportsIn(folder: string, except?: string): Promise<unknown[]> {
  const files = (await readdir(folder)).filter(
    (file) => /(?<!\.d)\.[jt]s$/.test(file) && path.join(folder, file) !== except
  )
  const modules = await Promise.all(
    files.sort().map((file) => import(pathToFileURL(path.join(folder, file)).href))
  )
  return modules.flatMap((module) => Object.values<unknown>(module))
}
