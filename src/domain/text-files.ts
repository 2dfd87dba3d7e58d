import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'

// The only reader of text that people write. Node's own decoder replaces what is not UTF-8 by
// U+FFFD, so that two passwords become one and a name loses its letters in silence.

/** The message continues "The file …", or "names a file that …". */
export class UnreadableText extends Error {
  override name = 'UnreadableText'
}

/** The whole text of a file. Throws UnreadableText. */
export function readText(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    throw new UnreadableText('cannot be read')
  }
  return decodeText(bytes)
}

/**
 * Decodes UTF-8, without the byte-order mark that programs of Windows write. Throws UnreadableText.
 * @param line the number of the first line of these bytes
 */
export function decodeText(bytes: Buffer, line = 1): string {
  if (!isUtf8(bytes)) throw new UnreadableText(mistakeIn(bytes, line))
  const text = bytes.toString()
  return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text
}

const isUtf16 = (bytes: Buffer) => /^(fffe|feff)/.test(bytes.toString('hex', 0, 2))

function mistakeIn(bytes: Buffer, line: number): string {
  if (line === 1 && isUtf16(bytes)) return 'is UTF-16: save it as UTF-8'
  let rest = bytes
  for (let number = line; ; number++) {
    const end = rest.indexOf(10) + 1 || rest.length
    const byte = wrongByte(rest.subarray(0, end))
    if (byte > 0) return `is not UTF-8: line ${number}, byte ${byte}`
    rest = rest.subarray(end)
  }
}

/** The position of the first byte that is not UTF-8, from 1; 0 if there is none. */
function wrongByte(bytes: Buffer): number {
  if (isUtf8(bytes)) return 0
  let at = 0
  for (const sign of bytes.toString()) {
    const length = Buffer.byteLength(sign)
    if (bytes.toString('hex', at, at + length) !== Buffer.from(sign).toString('hex')) break
    at += length
  }
  return at + 1
}

/** The lines of a stream as bytes, without their ends. The mark at the beginning is left out. */
export async function* byteLinesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      start = end + 1
    }
    parts.push(chunk.subarray(start))
  }
  const last = Buffer.concat(parts)
  if (last.length > 0) yield last
}
