import t from 'tap'
import { until } from '../support/app.ts'
import { addAuthenticator } from './authenticators.ts'
import type { Page } from 'playwright-core'
import { begin, run } from './passkey-page.ts'
import type { Examples } from './passkey-page.ts'
import { add, signIn, signOut, passkeyPortal } from './passkey-portal.ts'

const { anotherOrigin, aPage, aSignedIn, ofUser, origin } = await passkeyPortal(t)
const proveAgain = (page: Page) => run(page, (examples) => examples.proveAgain())

t.test(
  'a user adds a passkey and signs in without a username, with Ed25519 and P-256',
  async (t) => {
    const ways: [number, (examples: Examples) => Promise<object>][] = [
      [-8, ({ addPasskey }) => addPasskey({ name: 'Laptop' })],
      // A browser that knows P-256 only.
      [
        -7,
        async ({ post }) => {
          const { value } = await post<PublicKeyCredentialCreationOptionsJSON>(
            '/api/user/passkeys/options'
          )
          if (!value) throw new Error('no options')
          value.pubKeyCredParams = value.pubKeyCredParams.filter(({ alg }) => alg === -7)
          const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(value)
          const credential = await navigator.credentials.create({ publicKey })
          return post('/api/user/passkeys', { credential, name: 'Laptop' })
        }
      ]
    ]
    for (const [algorithm, addWith] of ways) {
      const page = await aPage()
      await addAuthenticator(page)
      const user = await aSignedIn(page)
      t.same(await run(page, ({ isSupported }) => isSupported()), { value: true })
      t.match(await run(page, addWith), { value: { name: 'Laptop' } })
      t.match(await ofUser(user), [{ algorithm, rpId: 'localhost', transports: 'internal' }])
      const me = await run(page, ({ send }) => send('GET', '/api/auth/me'))
      t.match(me, { value: { session: { assurance: 2 } } })
      await signOut(page)
      const signedIn = await signIn(page)
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
    t.ok((await add(page)).value)
    t.match(await add(page), { error: 'InvalidStateError' }, 'it has one already')
    const two = await aSignedIn(page)
    t.ok((await add(page)).value, 'of another user')
    await signOut(page)
    const first = await signIn(page)
    const other = first.value?.user.id === one.id ? two : one
    // There is nobody to choose: the device forgets the one that it has chosen.
    const chosen = (await ofUser({ id: first.value?.user.id ?? '' })).map(({ credentialId }) =>
      Buffer.from(credentialId).toString('base64')
    )
    await device.forget(chosen[0] ?? '')
    t.match(await signIn(page), { value: { user: { id: other.id } } })
  }
)

t.test('a user who is not verified neither adds a passkey nor signs in', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  await device.setUserVerified(false)
  t.match(await add(page), { error: 'NotAllowedError' })
  await device.setUserVerified(true)
  t.ok((await add(page)).value)
  await device.setUserVerified(false)
  t.match(await signIn(page), { error: 'NotAllowedError' })
  t.match(await proveAgain(page), { error: 'NotAllowedError' })
  t.match(await ofUser(user), [{ lastUsedAt: null }])
})

t.test('the portal refuses a passkey whose page did not ask for verification', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  await aSignedIn(page)
  t.ok((await add(page)).value)
  await device.setUserVerified(false)
  const careless = async ({ post }: Examples) => {
    const { value } = await post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkey/options')
    if (!value) throw new Error('no options')
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
      ...value,
      userVerification: 'discouraged'
    })
    const credential = await navigator.credentials.get({ publicKey })
    return post('/api/auth/passkey', { credential })
  }
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
    t.match(await add(page), { error: 'NotAllowedError' })
    t.same(await ofUser(user), [])
  }
})

t.test('passkeys are offered in a form, until another ceremony begins', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await add(page)).value)
  await signOut(page)
  t.match(await run(page, ({ offerPasskeys }) => offerPasskeys()), {
    value: { user: { id: user.id } }
  })
  await signOut(page)

  await device.setPresence(false)
  const offered = await begin(page, ({ offerPasskeys }) => offerPasskeys())
  const pressed = await begin(page, (examples) => examples.signIn())
  t.same(await offered.result, { error: 'AbortError' })
  await device.setPresence(true)
  t.match(await signIn(page), { value: { user: { id: user.id } } })
  t.same(await pressed.result, { error: 'AbortError' })
})

t.test('the offer is renewed before its challenge expires', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await add(page)).value)
  await signOut(page)
  await device.setPresence(false)
  const offered = await begin(page, ({ offerPasskeys }) => offerPasskeys(200))
  const asked = (url: string) => performance.getEntriesByName(url).length
  const options = `${origin}/api/auth/passkey/options`
  await until(async () => (await page.evaluate(asked, options)) >= 3)
  await device.setPresence(true)
  t.match(await offered.result, { value: { user: { id: user.id } } })
})

t.test('a device that is removed during a ceremony can be replaced by another one', async (t) => {
  const page = await aPage()
  const first = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await add(page)).value)
  await first.setPresence(false)
  const proof = await begin(page, (examples) => examples.proveAgain())
  await first.remove()
  await addAuthenticator(page)
  t.same(await proof.result, { error: 'NotAllowedError' }, 'it does not have the passkey')
  t.ok((await add(page)).value)
  t.match(await proveAgain(page), { value: { session: { assurance: 2 } } })
  t.equal((await ofUser(user)).length, 2)
})

t.test('a page of another origin gets nothing that the portal accepts', async (t) => {
  const page = await aPage()
  await addAuthenticator(page)
  const user = await aSignedIn(page)
  const { value: creation } = await run(page, ({ post }) =>
    post<PublicKeyCredentialCreationOptionsJSON>('/api/user/passkeys/options')
  )
  t.ok((await add(page)).value)
  const { value: request } = await run(page, ({ post }) =>
    post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkey/options')
  )
  if (!creation || !request) throw new Error('no options')

  await page.goto(await anotherOrigin())
  const assertion = await page.evaluate(async (request) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request)
    const credential = await navigator.credentials.get({ publicKey })
    return (credential as PublicKeyCredential).toJSON() as object
  }, request)
  const created = await page.evaluate(
    async (creation) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(creation)
      const credential = await navigator.credentials.create({ publicKey })
      return (credential as PublicKeyCredential).toJSON() as object
    },
    { ...creation, excludeCredentials: [] }
  )
  await page.goto(origin)
  const post = (path: string, credential: object) =>
    run(page, (examples, { path, credential }) => examples.post(path, { credential }), {
      path,
      credential
    })
  t.same(await post('/api/auth/passkey', assertion), { error: 'passkey-refused' })
  t.same(await post('/api/user/passkeys', created), { error: 'invalid-passkey' })
  t.equal((await ofUser(user)).length, 1)
})
