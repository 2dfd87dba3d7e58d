import type { Provider } from '../domain/providers/provider.ts'

/** Where the provider for development is. */
export const examplePath = '/dev-provider'
export const exampleKey = 'example'
// Not secret: anyone who reaches a development server can sign in as each of these people.
const credential = { secret: 'example' }

interface Settings {
  PUBLIC_ORIGIN: string
}
const issuerAt = ({ PUBLIC_ORIGIN }: Settings) => PUBLIC_ORIGIN + examplePath

/**
 * The provider for development, or none where it cannot run: its package, `oidc-provider`, is there
 * in a checkout, as is all that serves development only. An installed portal is for production,
 * which would get 24 packages that it never loads.
 */
export function exampleProviders(settings: Settings): Provider[] {
  if (!isInstalled('oidc-provider')) return []
  return [
    {
      key: exampleKey,
      kind: 'oidc',
      name: 'Example',
      issuer: issuerAt(settings),
      clientId: 'portal',
      credential,
      trustsEmail: 'claim',
      domains: [],
      required: false,
      listed: true,
      creates: 'registration',
      assurance: { amr: ['mfa'], acr: [] }
    }
  ]
}

/** Finds a package without loading it. */
function isInstalled(name: string) {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

export const isExample =
  (settings: Settings) =>
  ({ issuer }: Provider) =>
    issuer === issuerAt(settings)

/** What the provider knows of the portal. */
export const exampleClient = (settings: Settings) => ({
  issuer: issuerAt(settings),
  clientId: 'portal',
  secret: credential.secret
})
