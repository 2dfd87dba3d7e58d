import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/config.ts'

/**
 * Creates a check whether a browser sent a request from a page of another site (the rule of Go's
 * net/http CrossOriginProtection). Requests of other clients have neither header and pass.
 */
export function createCrossSiteCheck({
  PUBLIC_ORIGIN,
  CORS_ORIGINS,
  development
}: Pick<Config, 'PUBLIC_ORIGIN' | 'CORS_ORIGINS' | 'development'>) {
  const ours = new Set([PUBLIC_ORIGIN, ...CORS_ORIGINS])
  return ({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean => {
    if (site === 'same-origin' || site === 'none') return false
    if (origin === undefined) return site !== undefined
    // The guard accepted the host. Over plain HTTP, browsers send Sec-Fetch-Site only to loopback.
    const isItself = development && origin === `http://${host}`
    return !isItself && !ours.has(origin)
  }
}

/**
 * Whether a browser sent a request to the operator's console from any other page: also one on
 * another port of this machine, which is of the same site.
 */
export const isForeign = ({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders) =>
  (site !== undefined && site !== 'same-origin' && site !== 'none') ||
  (origin !== undefined && origin !== `http://${host}`)

export const exposedHeaders = [
  'etag',
  'link',
  'location',
  'portal-active-keys',
  'retry-after',
  'x-request-id'
]

/**
 * The CORS headers of a refusal that comes before the plugin for CORS. Without them, a page cannot
 * tell it from a portal that does not answer.
 */
export function createCorsHeaders({ CORS_ORIGINS }: Pick<Config, 'CORS_ORIGINS'>) {
  const listed = new Set(CORS_ORIGINS)
  return (origin: string | undefined): Record<string, string> => ({
    ...(listed.size > 0 && { vary: 'Origin' }),
    ...(origin !== undefined &&
      listed.has(origin) && {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': exposedHeaders.join(', ')
      })
  })
}
