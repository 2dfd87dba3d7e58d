import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { blocksOf } from '../support/documents.ts'
import { built } from '../support/root.ts'

/** The example of docs/do/services.md that contains this text, with other texts in place of these. */
export const example = (containing: string, changes: Record<string, string>) =>
  exampleOf('docs/do/services.md', containing, changes)

/** Returns an example of another page, changed in the same way. */
export function exampleOf(page: string, containing: string, changes: Record<string, string>) {
  const found = blocksOf(page).filter(({ text }) => text.includes(containing))
  const [block] = found
  if (!block || found.length > 1) throw new Error(`${found.length} examples have ${containing}`)
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example does not contain ${from}`)
    return text.replaceAll(from, to)
  }, block.text)
}

/** Imports an example in JavaScript, which finds the packages of this checkout. */
export async function imported(name: string, text: string): Promise<unknown> {
  const file = path.join(built, `${name}-${process.pid}.mjs`)
  writeFileSync(file, text)
  return import(pathToFileURL(file).href)
}
