import { pathToFileURL } from 'node:url'
import { readText } from '../domain/text-files.ts'

/** `file:line` of the code in a folder that threw an error, if its stack has some. */
export function placeOf(error: unknown, folder: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const line of stack.split('\n')) {
    for (const prefix of [pathToFileURL(folder).href, folder]) {
      const rest = line.includes(prefix) ? line.slice(line.indexOf(prefix) + prefix.length) : ''
      const [, file, number] = /^(\/[^:?)]+)(?:\?[^:)]*)?:(\d+)/.exec(rest) ?? []
      if (file === undefined || file.includes('/node_modules/')) continue
      return `${folder}${decodeURIComponent(file)}:${number}`
    }
  }
  return undefined
}

/** The place in a folder of the code that is running. */
export function callerIn(folder: string): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const place = placeOf(new Error('here'), folder)
  Error.stackTraceLimit = stackTraceLimit
  return place
}

/**
 * The place in the file of a definition of the member to which these names lead. Only the file if
 * its part is written elsewhere.
 */
export function placeInDefinition(path: readonly string[], file: string): string {
  const source = readText(file)
  let at = source.search(/\bdefineApp\s*\(\s*\{/)
  let place = file
  for (const name of path) {
    if (at !== -1) at = wordIn(source, name, at)
    if (at === -1) break
    place = `${file}:${source.slice(0, at).split('\n').length}`
  }
  return place
}

/** Where a text has a name that is not a part of another one, or -1. */
function wordIn(text: string, name: string, from: number): number {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1)) {
    const isBegun = /[\w:.-]$/.test(text.slice(Math.max(at - 1, 0), at))
    const goesOn = /^([:-]*\w|\.\w)/.test(text.slice(at + name.length))
    if (!isBegun && !goesOn) return at
  }
  return -1
}
