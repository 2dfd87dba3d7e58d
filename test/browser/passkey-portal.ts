import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { passkeys } from '../../db/schema/second-factors.ts'
import { aUser, ownApp, password } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { startChromium } from './chromium.ts'
import { run } from './passkey-page.ts'
import { startProxy } from './web-app.ts'

// The examples of docs/do/passkeys.md, in a page with a strict policy.
const files = new Map(
  blocksOf('docs/do/passkeys.md').flatMap(({ file, text }) =>
    file === undefined ? [] : [[`/${file}`, text] as const]
  )
)

/** A portal with a page that has the examples, in Chromium. */
export async function passkeyPortal(t: Test) {
  let port = 0
  const origin = await startProxy(t, files, () => port)
  const chromium = await startChromium(t)
  const portal = await ownApp(t, { PUBLIC_ORIGIN: origin })
  await portal.listen({ host: '127.0.0.1', port: 0 })
  port = (portal.server.address() as AddressInfo).port
  t.teardown(() => portal.server.closeAllConnections())
  return {
    origin,
    /** Serves the same page elsewhere. */
    anotherOrigin: () => startProxy(t, files, () => port),
    aPage: () => chromium.open(origin),
    /** A new user who is signed in with the password. */
    async aSignedIn(page: Page) {
      const user = await aUser(portal.database)
      const body = { email: user.email, password }
      const { value } = await run(page, ({ post }, body) => post('/api/auth/login', body), body)
      if (!value) throw new Error('not signed in')
      return user
    },
    ofUser: async ({ id }: { id: string }) =>
      portal.db.select().from(passkeys).where(eq(passkeys.userId, id))
  }
}

export const signOut = (page: Page) => run(page, ({ post }) => post('/api/auth/logout'))
export const add = (page: Page) => run(page, ({ addPasskey }) => addPasskey())
export const signIn = (page: Page) => run(page, (examples) => examples.signIn())
export const remove = (page: Page, id = '') =>
  run(page, ({ send }, id) => send('DELETE', `/api/user/passkeys/${id}`), id)
