import type { AddressInfo } from 'node:net'
import t from 'tap'
import { eq } from 'drizzle-orm'
import { passkeys } from '../../db/schema/passkeys.ts'
import { aUser, password, testApp, until } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { addAuthenticator } from './authenticators.ts'
import { startChromium } from './chromium.ts'
import type { Page } from 'playwright-core'
import { begin, run } from './passkey-page.ts'
import { startProxy } from './web-app.ts'

// The examples of docs/passkeys.md, in a page with a strict policy.
const files = new Map(
  blocksOf('docs/passkeys.md').flatMap(({ file, text }) =>
    file === undefined ? [] : [[`/${file}`, text] as const]
  )
)

let port = 0
const origin = await startProxy(t, files, () => port)
const chromium = await startChromium(t)
const portal = await testApp(t, { PUBLIC_ORIGIN: origin })
await portal.listen({ host: '127.0.0.1', port: 0 })
port = (portal.server.address() as AddressInfo).port
t.teardown(() => portal.server.closeAllConnections())

/** A new user who is signed in with the password. */
async function aSignedIn(page: Page) {
  const user = await aUser(portal.database)
  const body = JSON.stringify({ email: user.email, password })
  const { value } = await run(page, `post('/api/auth/login', ${body})`)
  if (!value) throw new Error('not signed in')
  return user
}
const signOut = (page: Page) => run(page, "post('/api/auth/logout')")
const ofUser = async ({ id }: { id: string }) =>
  portal.db.select().from(passkeys).where(eq(passkeys.userId, id))
const aPage = () => chromium.open(origin)

t.test(
  'a user adds a passkey and signs in without a username, with Ed25519 and P-256',
  async (t) => {
    for (const [algorithm, add] of [
      [-8, "addPasskey({ name: 'Laptop' })"],
      // A browser that knows P-256 only.
      [
        -7,
        `post('/api/user/passkeys/options').then(async (options) => {
        options.pubKeyCredParams = options.pubKeyCredParams.filter(({ alg }) => alg === -7)
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
        const credential = (await navigator.credentials.create({ publicKey })).toJSON()
        return post('/api/user/passkeys', { credential, name: 'Laptop' })
      })`
      ]
    ] as const) {
      const page = await aPage()
      await addAuthenticator(page)
      const user = await aSignedIn(page)
      t.same(await run(page, 'isSupported()'), { value: true })
      t.match(await run(page, add), { value: { name: 'Laptop' } })
      t.match(await ofUser(user), [{ algorithm, rpId: 'localhost', transports: 'internal' }])
      const me = await run(page, "send('GET', '/api/auth/me')")
      t.match(me, { value: { session: { assurance: 2 } } })
      await signOut(page)
      const signedIn = await run(page, 'signIn()')
      t.match(signedIn, { value: { user: { id: user.id }, session: { assurance: 2 } } })
      t.match(await ofUser(user), [{ counter: 2, lastUsedAt: Date }])
    }
  }
)

t.test(
  'a device adds one passkey for each user, and signs in the one that is chosen',
  async (t) => {
    const page = await aPage()
    const device = await addAuthenticator(page)
    const one = await aSignedIn(page)
    t.ok((await run(page, 'addPasskey()')).value)
    t.match(await run(page, 'addPasskey()'), { error: 'InvalidStateError' }, 'it has one already')
    const two = await aSignedIn(page)
    t.ok((await run(page, 'addPasskey()')).value, 'of another user')
    await signOut(page)
    const first = await run(page, 'signIn()')
    const other = first.value?.user.id === one.id ? two : one
    // There is nobody to choose: the device forgets the one that it has chosen.
    const chosen = (await ofUser({ id: first.value?.user.id ?? '' })).map(({ credentialId }) =>
      Buffer.from(credentialId).toString('base64')
    )
    await device.forget(chosen[0] ?? '')
    t.match(await run(page, 'signIn()'), { value: { user: { id: other.id } } })
  }
)

t.test('a user who is not verified neither adds a passkey nor signs in', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  await device.setUserVerified(false)
  t.match(await run(page, 'addPasskey()'), { error: 'NotAllowedError' })
  await device.setUserVerified(true)
  t.ok((await run(page, 'addPasskey()')).value)
  await device.setUserVerified(false)
  t.match(await run(page, 'signIn()'), { error: 'NotAllowedError' })
  t.match(await run(page, 'proveAgain()'), { error: 'NotAllowedError' })
  t.match(await ofUser(user), [{ lastUsedAt: null }])
})

t.test('the portal refuses a passkey whose page did not ask for verification', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  await aSignedIn(page)
  t.ok((await run(page, 'addPasskey()')).value)
  await device.setUserVerified(false)
  const careless = `post('/api/auth/passkey/options').then(async (options) => {
    options.userVerification = 'discouraged'
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = (await navigator.credentials.get({ publicKey })).toJSON()
    return post('/api/auth/passkey', { credential })
  })`
  t.same(await run(page, careless), { error: 'passkey-refused' })
})

t.test('a security key that stores no passkeys is refused', async (t) => {
  for (const options of [
    { protocol: 'u2f', hasResidentKey: false, hasUserVerification: false },
    { hasResidentKey: false },
    { hasUserVerification: false }
  ] as const) {
    const page = await aPage()
    await addAuthenticator(page, { transport: 'usb', ...options })
    const user = await aSignedIn(page)
    t.match(await run(page, 'addPasskey()'), { error: 'NotAllowedError' })
    t.same(await ofUser(user), [])
  }
})

t.test('passkeys are offered in a form, until another ceremony begins', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await run(page, 'addPasskey()')).value)
  await signOut(page)
  t.match(await run(page, 'offerPasskeys()'), { value: { user: { id: user.id } } })
  await signOut(page)

  await device.setPresence(false)
  await begin(page, 'offered', 'offerPasskeys()')
  await begin(page, 'pressed', 'signIn()')
  t.equal(await page.evaluate('window.offered'), 'AbortError')
  await device.setPresence(true)
  t.match(await run(page, 'signIn()'), { value: { user: { id: user.id } } })
  t.equal(await page.evaluate('window.pressed'), 'AbortError')
})

t.test('the offer is renewed before its challenge expires', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await run(page, 'addPasskey()')).value)
  await signOut(page)
  await device.setPresence(false)
  await begin(page, 'offered', 'offerPasskeys(200)')
  const asked = "performance.getEntriesByName(location.origin + '/api/auth/passkey/options').length"
  await until(async () => (await page.evaluate<number>(asked)) >= 3)
  await device.setPresence(true)
  t.equal(await page.evaluate('window.offered'), user.id)
})

t.test('a device that is removed during a ceremony can be replaced by another one', async (t) => {
  const page = await aPage()
  const first = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await run(page, 'addPasskey()')).value)
  await first.setPresence(false)
  await begin(page, 'proof', 'proveAgain()')
  await first.remove()
  await addAuthenticator(page)
  t.equal(await page.evaluate('window.proof'), 'NotAllowedError', 'it does not have the passkey')
  t.ok((await run(page, 'addPasskey()')).value)
  t.match(await run(page, 'proveAgain()'), { value: { session: { assurance: 2 } } })
  t.equal((await ofUser(user)).length, 2)
})

t.test('a page of another origin gets nothing that the portal accepts', async (t) => {
  const page = await aPage()
  await addAuthenticator(page)
  const user = await aSignedIn(page)
  const { value: creation } = await run<object>(page, "post('/api/user/passkeys/options')")
  t.ok((await run(page, 'addPasskey()')).value)
  const { value: request } = await run<object>(page, "post('/api/auth/passkey/options')")

  await page.goto(await startProxy(t, files, () => port))
  const assertion = await page.evaluate(`navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(request)})
  }).then((credential) => credential.toJSON())`)
  const created = await page.evaluate(`navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON({
      ...${JSON.stringify(creation)}, excludeCredentials: []
    })
  }).then((credential) => credential.toJSON())`)
  await page.goto(origin)
  const post = (path: string, credential: unknown) =>
    run(page, `post('${path}', { credential: ${JSON.stringify(credential)} })`)
  t.same(await post('/api/auth/passkey', assertion), { error: 'passkey-refused' })
  t.same(await post('/api/user/passkeys', created), { error: 'invalid-passkey' })
  t.equal((await ofUser(user)).length, 1)
})

t.test('a device learns which passkeys the portal does not know', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await run(page, 'addPasskey()')).value)
  const [stored] = await ofUser(user)
  const removed = "{ rpId: 'localhost' }"
  t.same(await run(page, `tellDevice({ id: '${user.id}' }, ${removed})`), {})
  t.equal((await device.credentials()).length, 1, 'it is known')
  t.ok(await run(page, `send('DELETE', '/api/user/passkeys/${stored?.id}')`))
  t.same(await ofUser(user), [])
  t.same(await run(page, 'signIn()'), { error: 'unknown-passkey' })
  await until(async () => (await device.credentials()).length === 0)
})

t.test('a device forgets the last passkey when it is removed', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  const { value: added } = await run<{ id: string }>(page, 'addPasskey()')
  t.ok(await run(page, `send('DELETE', '/api/user/passkeys/${added?.id}')`))
  t.equal((await device.credentials()).length, 1)
  const removed = JSON.stringify(added)
  t.same(await run(page, `tellDevice({ id: '${user.id}' }, ${removed})`), {})
  await until(async () => (await device.credentials()).length === 0)
})
