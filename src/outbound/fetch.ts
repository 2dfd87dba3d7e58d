import { createBulkhead } from '../domain/bulkhead.ts'
import { loopback } from '../domain/networks.ts'
import type { ProviderReason } from '../problems/provider-reasons.ts'

export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: ProviderReason

  constructor(reason: ProviderReason) {
    super(`no usable answer: ${reason}`)
    this.reason = reason
  }
}

/** Bytes and milliseconds. */
const limits = { bytes: 256 * 1024, time: 5000, atOnce: 20, waiting: 100, maxWait: 1000 }

export type Fetch = (url: string, options?: RequestInit) => Promise<Response>

/**
 * The only way to call a server that the configuration names over HTTP. A call ends after five
 * seconds, reads at most 256 KiB (after decompression), follows no redirect, and uses https, or in
 * development http to loopback. At most 20 run at once, so that a server that hangs takes neither
 * memory nor sockets. A response with status 429 or 5xx counts as a failure. Throws OutboundError.
 */
export function createFetch({ development }: { development: boolean }): Fetch {
  const { run } = createBulkhead({
    running: limits.atOnce,
    waiting: limits.waiting,
    maxWait: limits.maxWait
  })
  return async (url, options) => {
    const { protocol, hostname } = new URL(url)
    const isSecure = protocol === 'https:'
    if (!isSecure && !(development && protocol === 'http:' && loopback.test(hostname))) {
      throw new OutboundError('insecure')
    }
    let hasBegun = false
    try {
      return await run(() => {
        hasBegun = true
        return call(url, options)
      })
    } catch (error) {
      throw error instanceof OutboundError || hasBegun ? error : new OutboundError('busy')
    }
  }
}

async function call(url: string, options: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(limits.time)
  try {
    const response = await fetch(url, { ...options, redirect: 'manual', signal })
    const { status, headers } = response
    if (status >= 300 && status < 400) return await discard(response, 'redirect')
    if (status === 429 || status >= 500) return await discard(response, `status-${status}`)
    return new Response(await readAll(response), { status, headers })
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw new OutboundError(signal.aborted ? 'timeout' : connectionReason(error))
  }
}

/** Why a connection failed, by the code of Node, which `fetch` wraps in another error. */
export function connectionReason(error: unknown): ProviderReason {
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown }
  if (/^(ENOTFOUND|EAI_)/.test(String(code))) return 'host-name'
  return /CERT|^UNABLE_TO_|^ERR_(TLS|SSL)/.test(String(code)) ? 'certificate' : 'unreachable'
}

/** Null for an empty body, which some statuses require. */
async function readAll(response: Response) {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > limits.bytes) throw new OutboundError('too-large')
    parts.push(part)
  }
  return size === 0 ? null : Buffer.concat(parts)
}

/** Ends the connection instead of reading what nobody needs. */
async function discard(response: Response, reason: ProviderReason): Promise<never> {
  await response.body?.cancel()
  throw new OutboundError(reason)
}
