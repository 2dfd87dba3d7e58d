import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'

export const flags = OpenFeature.getClient()

/**
 * Reads the flags of the signed-in user, or of a visitor. docs/flags.md explains why every user gets
 * a provider of their own, and why it keeps nothing.
 */
export async function readFlags(user: { id: string } | null) {
  const provider = new OFREPWebProvider({
    baseUrl: location.origin,
    cacheMode: 'disabled',
    pollInterval: 60_000
  })
  try {
    await OpenFeature.setProviderAndWait(provider, { targetingKey: user?.id ?? visitorKey() })
  } catch (error) {
    console.warn('The flags have their defaults:', error)
  }
}

/** A random id of this browser, so that a visitor stays on the same side of a split. */
function visitorKey() {
  const kept = localStorage.getItem('visitor') ?? crypto.randomUUID()
  localStorage.setItem('visitor', kept)
  return kept
}
