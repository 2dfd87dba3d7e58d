/** Replaces a generated part of a page: what is between the markers that name it. */
export function fill(page: string, [name, text]: [string, string]) {
  const [begin, end] = [
    `<!-- ${name}: written by npm run generate -->\n`,
    `<!-- end of ${name} -->`
  ]
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`a page lacks the markers ${begin}and ${end}`)
  return `${before}${begin}\n${text}\n${end}${after}`
}
