import t from 'tap'
import { revokeInScope } from '../../src/domain/scopes/members.ts'
import { aUser, operator, password, until } from '../support/app.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'
import { addAuthenticator } from './authenticators.ts'
import { hold } from './chromium.ts'
import { inApp, startClientApp } from './client-page.ts'
import { inChromium } from './client-tabs.ts'
import { walk } from './client-walks.ts'
import { startProviders } from './provider-portal.ts'
import type { Page } from 'playwright-core'

// The package portal-client, in a page with a strict policy and without a build.

const { providersOf } = await startProviders(t)
const world = await startClientApp(t, async (portal) => ({ providers: await providersOf(portal) }))
const { app, open } = world
const aPerson = () => aUser(app.database)
const stateOf = (page: Page) => inApp(page, ({ portal }) => portal.session.value.is)
const userIn = (page: Page) =>
  inApp(page, ({ portal }) => {
    const { value } = portal.session
    return value.is === 'signed-in' ? value.user.id : value.is
  })
const signIn = (page: Page, { email }: { email: string }) =>
  inApp(
    page,
    async ({ portal }, body) => {
      const session = await portal.signIn(body)
      return session.is
    },
    { email, password }
  )
const signOut = (page: Page) => inApp(page, ({ portal }) => portal.signOut())
/** The code with which a call is rejected, or its status. */
const rename = (page: Page, name: string) =>
  inApp(
    page,
    ({ portal }, name) =>
      portal.api
        .PUT('/api/user/name', { body: { name } })
        .then(({ error, response }) => error?.code ?? response.status),
    name
  )

t.test('a user registers, signs in, has permissions and signs out', async (t) => {
  const page = await open()
  t.equal(await stateOf(page), 'signed-out')
  const email = `${crypto.randomUUID()}@example.com`
  await inApp(page, ({ portal }, body) => portal.register(body), { email, password, name: 'Ada' })
  t.equal(await stateOf(page), 'signed-out', 'a registration signs nobody in')
  t.equal(await signIn(page, { email }), 'signed-in')
  t.same(
    await inApp(page, ({ portal }) => [portal.may('profile:read'), portal.may('invoices:read')]),
    [true, false]
  )
  await signOut(page)
  t.equal(await stateOf(page), 'signed-out')
  t.same(await inApp(page, ({ ended }) => ended), [], 'that was no surprise')
})

t.test('a wrong password is an error with a code', async (t) => {
  const [page, { email }] = [await open(), await aPerson()]
  const code = await inApp(
    page,
    ({ portal }, body) =>
      portal.signIn(body).then(
        () => undefined,
        (error: Error & { problem: { code: string } }) => [error.name, error.problem.code]
      ),
    { email, password: 'something else entirely' }
  )
  t.same(code, ['RejectedCall', 'invalid-credentials'])
})

t.test('a change of the first user is not made as the one who signed in elsewhere', async (t) => {
  const [ada, grace] = [await aPerson(), await aPerson()]
  const [one, other] = [await open(), await open()]
  await signIn(one, ada)
  await until(async () => (await userIn(other)) === ada.id)
  const release = await hold(one, '**/api/auth/session')
  await signIn(other, grace)
  // The tab of Ada was told to look, and waits for the answer of a slow network.
  const looking = one.waitForRequest('**/api/auth/session')
  await inApp(one, () => dispatchEvent(new Event('focus')))
  await looking
  const renamed = rename(one, 'By Ada')
  await release()
  t.equal(await renamed, 'unauthenticated')
  t.equal(await userIn(one), grace.id)
  t.equal(await rename(one, 'By Grace'), 200, 'what this page does from now on is hers')
})

t.test('a passkey is created, signs in, and proves who it is', async (t) => {
  const [page, user] = [await open(), await aPerson()]
  await addAuthenticator(page)
  await signIn(page, user)
  await inApp(page, ({ portal }) => portal.passkeys.create('This device').then(({ name }) => name))
  await signOut(page)
  await inApp(page, ({ portal }) => portal.passkeys.signIn().then(() => {}))
  t.equal(await userIn(page), user.id)
  t.equal(await inApp(page, ({ portal }) => portal.proof.passkey()), true)
})

t.test('a network that is away ends no session, and the page looks when it is back', async (t) => {
  const [page, user] = [await open(), await aPerson()]
  await signIn(page, user)
  await page.context().setOffline(true)
  t.equal(
    await inApp(page, ({ portal }) => portal.session.look().then(({ is }) => is)),
    'signed-in'
  )
  t.equal(
    await inApp(page, ({ portal }) =>
      portal.api.GET('/api/user/profile').catch((error: Error) => error.name)
    ),
    'TypeError'
  )
  const looking = page.waitForRequest('**/api/auth/session')
  await page.context().setOffline(false)
  await looking
  t.equal(await userIn(page), user.id)
})

t.test('Chromium', async (t) => {
  const page = await open()
  await page.context().clearCookies() // of the tests before
  await page.close()
  await walk(t, inChromium(world.openPage), world)
})

t.test('two tabs of one person show two scopes, each with the rights of its own', async (t) => {
  const user = await aPerson()
  const [reader, manager] = [
    await aScopedRole(app.database, 'users:read'),
    await aScopedRole(app.database, 'members:manage')
  ]
  const [acme, globex] = [freshScope(), freshScope()]
  await granted(app.database, user, acme, reader)
  await granted(app.database, user, globex, manager)
  const [first, second] = [await open(), await open()]
  await signIn(first, user)
  await until(async () => (await userIn(second)) === user.id)
  const mayIn = (page: Page, scope: string) =>
    inApp(
      page,
      ({ portal }, where) =>
        Promise.all(['users:read', 'members:manage'].map((each) => portal.may(each, where))),
      { scope }
    )
  const both = () => Promise.all([mayIn(first, acme), mayIn(second, globex)])
  t.same(await both(), [
    [true, false],
    [false, true]
  ])
  await revokeInScope(app.db, operator, { scope: acme, userId: user.id, role: reader })
  t.same(await both(), [
    [false, false],
    [false, true]
  ])
})
