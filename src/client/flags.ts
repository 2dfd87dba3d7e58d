import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'
import type { Provider } from '@openfeature/web-sdk'
import type { Portal } from './portal.ts'
import { userOf } from './session.ts'

interface FollowOptions {
  /** Where the portal is, by default at the origin of the page. */
  baseUrl?: string
  /** Seconds between two looks at the flags. */
  interval?: number
  /** The scope that the page shows, for rules that name it. */
  scope?: string
  /** Called if flags cannot be read: each then has the default of your code. */
  onError?(error: unknown): void
}

/**
 * Gives OpenFeature the flags of the signed-in user, from now on. Every user gets a provider of
 * their own that keeps nothing, so that nobody sees the flags of the user before.
 * @returns a function that ends this
 */
export function followFlags(portal: Portal, options: FollowOptions = {}): () => void {
  const { baseUrl = globalThis.location?.origin, interval = 60, onError = console.warn } = options
  const { scope } = options
  let shown: string | undefined
  const follow = () => {
    const { value } = portal.session
    // While nobody knows who it is, as always on a server, the defaults are right for everybody.
    if (value.is === 'unknown') return
    const key = userOf(value)?.id ?? visitorKey()
    if (key === shown) return
    shown = key
    const provider = new OFREPWebProvider({
      baseUrl,
      cacheMode: 'disabled',
      pollInterval: interval * 1000,
      ...(scope !== undefined && { fetchImplementation: inScope(portal, scope) })
    })
    OpenFeature.setProviderAndWait(provider as Provider, { targetingKey: key }).catch(onError)
  }
  follow()
  return portal.session.subscribe(follow)
}

/** The protocol has no scope: it goes into the query, which the portal checks. */
const inScope =
  ({ fetch: send }: Portal, scope: string) =>
  async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const { url, method, headers, signal } = request
    const body = await request.text()
    return send(`${url}?${new URLSearchParams({ scope })}`, { method, headers, signal, body })
  }

/** A random id of this browser, so that a visitor stays on the same side of a split. */
function visitorKey() {
  // Only pages have a storage.
  const storage = globalThis.localStorage as Storage | undefined
  const kept = storage?.getItem('portal-visitor') ?? crypto.randomUUID()
  storage?.setItem('portal-visitor', kept)
  return kept
}
