import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'

export const filesOf = (room: string) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(room, file))
/** Sources for browsers. */
export const pages = filesOf('src/pages').filter((file) => !file.startsWith('src/pages/test/'))
export const client = filesOf('src/client')
/** Sources for servers. */
export const files = ['src', 'plugins', 'routes', 'db']
  .flatMap(filesOf)
  .filter((file) => !/^src\/(pages|client)\//.test(file))
export const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
/** The packages, and the files by their path, that a file imports. */
export const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from |import ?\(?)'([^'\s]+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? path.join(path.dirname(file), target) : target
  )
