import type { components } from '../../openapi/api.d.ts'
import { createConnection } from './connection.ts'
import type { PortalOptions } from './connection.ts'
import * as passkeys from './passkeys.ts'
import { ok } from './refusals.ts'
import { mayIn } from './scopes.ts'
import { userOf } from './session.ts'
import type { Session } from './session.ts'

export type { PortalOptions } from './connection.ts'
export { ok, RejectedCall } from './refusals.ts'
export type { Problem } from './refusals.ts'
export type { ProofRequest } from './connection.ts'
export type { Session, User } from './session.ts'

type Schemas = components['schemas']

export type Portal = ReturnType<typeof createPortal>

const trimmed = <Body extends { email: string }>(body: Body) => ({
  ...body,
  email: body.email.trim()
})

/** A client of a portal for one page of a browser. Without a page, see `oneUser`. */
export function createPortal(options: PortalOptions = {}) {
  const connection = createConnection(options)
  const { api, session } = connection
  /** Whether the user has a permission. The portal decides again with each call. */
  function may(permission: string): boolean
  /** In a scope, it asks the portal: await the result. */
  function may(permission: string, where: { scope: string }): Promise<boolean>
  function may(permission: string, where?: { scope: string }) {
    const isHeld = userOf(session.value)?.permissions.includes(permission as never) ?? false
    return where ? mayIn(api, permission, where.scope) : isHeld
  }
  const prove = async (body: Schemas['Reauthentication']) => {
    await ok(api.POST('/api/auth/reauthenticate', { body }))
    return true as const
  }

  return {
    ...connection,
    may,
    /** The scopes of the user, with their roles there. Managers and the invited use `api`. */
    scopes: async () => (await ok(api.GET('/api/user/scopes'))).items,
    /** Ways to sign in, and what a password must have. */
    options: () => ok(api.GET('/api/auth/options')),
    /**
     * Signs in. Keyboards of phones add spaces to an address, which it loses. The session may then
     * wait for its second factor: see `verify`.
     */
    async signIn(body: Schemas['Credentials']): Promise<Session> {
      await ok(api.POST('/api/auth/login', { body: trimmed(body) }))
      return session.value
    },
    /** Completes a sign-in with its second factor. */
    async verify(body: Schemas['LoginVerification']): Promise<Session> {
      await ok(api.POST('/api/auth/login/verify', { body }))
      return session.value
    },
    /** A sign-in that waits for its second factor, such as after a way through a provider. */
    async pending(): Promise<Session> {
      await ok(api.GET('/api/auth/login/pending'))
      return session.value
    },
    /** The address must be confirmed first if the result has no `id`. */
    register: (body: Schemas['Registration']) =>
      ok(api.POST('/api/auth/register', { body: trimmed(body) })),
    passkeys: {
      /** Whether the browser has all that these functions use. */
      isSupported: passkeys.isSupported,
      /** @param more whether to restore an account whose deletion is planned */
      signIn: (more?: { restore?: boolean }) => passkeys.signIn(api, more),
      /** Offers passkeys in the form, until the signal aborts. */
      offer: (stop: AbortSignal) => passkeys.offer(api, stop),
      /** Adds one to the account. Needs a recent authentication. */
      create: (name?: string) => passkeys.create(api, name)
    },
    /** Leaves the page for a provider, which leads back to `returnTo`, or to `errorTo`. */
    async signInWith(key: string, way: Partial<Schemas['ProviderFlow']> = {}) {
      const body = { intent: 'sign-in', ...way } as const
      const params = { path: { key } }
      const { url } = await ok(api.POST('/api/auth/providers/{key}', { params, body }))
      location.assign(url)
    },
    /** Ways to authenticate again. Each resolves with true, or throws a RejectedCall. */
    proof: {
      password: (password: string) => prove({ password }),
      code: (code: string) => prove({ code }),
      async passkey() {
        const asked = await ok(api.POST('/api/auth/reauthenticate/options'))
        return prove({ credential: await passkeys.get(asked) })
      }
    }
  }
}
