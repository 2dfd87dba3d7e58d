import t from 'tap'
import { until } from '../support/app.ts'
import { addAuthenticator } from './authenticators.ts'
import type { Page } from 'playwright-core'
import { run } from './passkey-page.ts'
import { add, remove, signIn, passkeyPortal } from './passkey-portal.ts'

const { aPage, aSignedIn, ofUser } = await passkeyPortal(t)
const tellDevice = (page: Page, { id }: { id: string }, removed: object) =>
  run(page, (examples, { id, removed }) => examples.tellDevice({ id }, removed), { id, removed })

t.test('a device learns which passkeys the portal does not know', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  t.ok((await add(page)).value)
  const [stored] = await ofUser(user)
  t.same(await tellDevice(page, user, { rpId: 'localhost' }), {})
  t.equal((await device.credentials()).length, 1, 'it is known')
  t.ok(await remove(page, stored?.id))
  t.same(await ofUser(user), [])
  t.same(await signIn(page), { error: 'unknown-passkey' })
  await until(async () => (await device.credentials()).length === 0)
})

t.test('a device forgets the last passkey when it is removed', async (t) => {
  const page = await aPage()
  const device = await addAuthenticator(page)
  const user = await aSignedIn(page)
  const { value: added } = await add(page)
  t.ok(await remove(page, added?.id))
  t.equal((await device.credentials()).length, 1)
  t.same(await tellDevice(page, user, added ?? {}), {})
  await until(async () => (await device.credentials()).length === 0)
})
