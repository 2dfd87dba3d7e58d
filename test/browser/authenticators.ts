import type { Page } from 'playwright-core'

interface Options {
  protocol?: 'ctap2' | 'u2f'
  transport?: 'internal' | 'usb'
  hasResidentKey?: boolean
  hasUserVerification?: boolean
}

/** Adds a virtual authenticator to a page. Without options it is one of the device itself. */
export async function addAuthenticator(page: Page, options: Options = {}) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options
    }
  })
  return {
    /** The passkeys that it has. */
    async credentials() {
      return (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
    },
    forget: (credentialId: string) =>
      session.send('WebAuthn.removeCredential', { authenticatorId, credentialId }),
    setUserVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether the user touches it at once, as they do by default. */
    setPresence: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  }
}
