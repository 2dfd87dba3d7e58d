import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../domain/crypto.ts'
import { matchesIfNoneMatch } from './etags.ts'

interface Options {
  type: string
  /** By default, caches keep the response and ask each time whether it still applies. */
  cacheControl?: string
}

/**
 * A response that is the same for everybody: bytes that are written once, with a strong tag. It is
 * compressed once as well, if that is worth it and its content is text: it is public, so nothing
 * secret is compressed with it.
 */
export function fixedResponse(
  content: string | Buffer,
  { type, cacheControl = 'public, no-cache' }: Options
) {
  const bytes = Buffer.from(content)
  const tag = sha256(bytes).toString('base64url')
  const compressible = bytes.length > minCompressed && /^text\/|json/.test(type)
  const compressed: { [name in Encoding]?: Promise<Buffer> } = {}
  return async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const encoding = compressible ? encodingFor(headers['accept-encoding']) : undefined
    // Each encoding has other bytes, and so another tag (RFC 9110, 8.8.3).
    const revision = encoding ? `${tag}-${encoding}` : tag
    reply.headers({ etag: `"${revision}"`, 'cache-control': cacheControl })
    if (compressible) {
      reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    }
    if (matchesIfNoneMatch(headers['if-none-match'], revision)) return reply.code(304).send()
    reply.type(type)
    if (!encoding) return reply.send(bytes)
    compressed[encoding] ??= compress[encoding](bytes)
    return reply.header('content-encoding', encoding).send(await compressed[encoding])
  }
}

/** Bytes. Less fits into one packet anyway. */
const minCompressed = 1400
// 11 takes twice as long as 10, half a second, and saves 2 %.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
const compress = {
  br: (content: Buffer) => promisify(brotliCompress)(content, quality),
  gzip: (content: Buffer) => promisify(gzip)(content)
}
type Encoding = keyof typeof compress

/**
 * The best of the encodings in Accept-Encoding (RFC 9110, 12.5.3), in which a weight of 0 means no.
 * Browsers name `br` for https only.
 */
function encodingFor(header: string | string[] = ''): Encoding | undefined {
  const accepted = String(header)
    .split(',')
    .flatMap((each) => {
      const [name = '', weight = ''] = each.split(';').map((part) => part.trim().toLowerCase())
      return weight.startsWith('q=') && Number(weight.slice(2)) === 0 ? [] : [name]
    })
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}

type FixedResponse = ReturnType<typeof fixedResponse>

/** A response that is written when it is first asked for. */
export function fixedJson(write: () => object, cacheControl?: string): FixedResponse {
  const type = 'application/json; charset=utf-8'
  let response: FixedResponse | undefined
  return (request, reply) => {
    response ??= fixedResponse(JSON.stringify(write()), {
      type,
      ...(cacheControl && { cacheControl })
    })
    return response(request, reply)
  }
}
