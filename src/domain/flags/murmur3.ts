/** MurmurHash3 of Austin Appleby, with 32 bits for x86, of a text in UTF-8. */
export function murmur3(text: string, seed = 0): number {
  const bytes = Buffer.from(text)
  const rest = bytes.length % 4
  const end = bytes.length - rest
  let hash = seed
  for (let at = 0; at < end; at += 4) {
    hash = rotate(hash ^ scramble(bytes.readInt32LE(at)), 13)
    hash = Math.imul(hash, 5) + 0xe6546b64
  }
  if (rest > 0) hash ^= scramble(bytes.readUIntLE(end, rest))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))
const scramble = (part: number) => Math.imul(rotate(Math.imul(part, 0xcc9e2d51), 15), 0x1b873593)
