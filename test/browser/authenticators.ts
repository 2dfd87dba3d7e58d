import type { Page } from './chromium.ts'

interface Options {
  protocol?: 'ctap2' | 'u2f'
  transport?: 'internal' | 'usb'
  hasResidentKey?: boolean
  hasUserVerification?: boolean
  /** Whether the user touches it at once. */
  automaticPresenceSimulation?: boolean
}

/** Adds a virtual authenticator to a page. Without options it is one of the device itself. */
export async function addAuthenticator(page: Page, options: Options = {}) {
  await page.command('WebAuthn.enable')
  const { authenticatorId } = await page.command<{ authenticatorId: string }>(
    'WebAuthn.addVirtualAuthenticator',
    {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        ...options
      }
    }
  )
  const command = <T>(method: string, more: object = {}) =>
    page.command<T>(`WebAuthn.${method}`, { authenticatorId, ...more })
  return {
    /** The passkeys that it has. */
    async credentials() {
      const { credentials } = await command<{
        credentials: { credentialId: string; userHandle: string; rpId: string }[]
      }>('getCredentials')
      return credentials
    },
    forget: (credentialId: string) => command('removeCredential', { credentialId }),
    setUserVerified: (isUserVerified: boolean) => command('setUserVerified', { isUserVerified }),
    /** Whether the user touches it at once, as they do by default. */
    setPresence: (enabled: boolean) => command('setAutomaticPresenceSimulation', { enabled }),
    remove: () => command('removeVirtualAuthenticator')
  }
}
