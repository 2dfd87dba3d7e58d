import { text } from 'node:stream/consumers'
import { JSDOM } from 'jsdom'

// Reads Mermaid diagrams as a JSON list from stdin, and prints what is wrong with each, or null. The
// test copies it to where the packages of this folder are installed.

const { window } = new JSDOM('') // Mermaid cleans texts with the help of a page
Object.assign(globalThis, { window, document: window.document })
const { default: mermaid } = await import('mermaid')

const mistakes = []
for (const diagram of JSON.parse(await text(process.stdin))) {
  mistakes.push(
    await mermaid.parse(diagram).then(
      () => null,
      ({ message }) => message
    )
  )
}
console.log(JSON.stringify(mistakes))
