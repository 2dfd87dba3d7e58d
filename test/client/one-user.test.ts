import t from 'tap'
import { keepCookies } from '../../src/client/cookies.ts'
import { createPortal } from '../../src/client/portal.ts'
import type { PortalOptions } from '../../src/client/portal.ts'
import { freshEmail, ownApp, password } from '../support/app.ts'

// Programs for one user that have no pages: apps for phones and desktops, and scripts.

const app = await ownApp(t)
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })

/** A file, of which the test sees every version. */
function aStore() {
  const saved: string[] = []
  return { saved, load: () => saved.at(-1), save: (text: string) => saved.push(text) }
}
const aProgram = (store = aStore(), options: PortalOptions = {}) =>
  createPortal({ baseUrl, oneUser: true, fetch: keepCookies(store), ...options })

async function registered(portal = aProgram()) {
  const email = freshEmail()
  await portal.register({ email, password, name: 'Ada Lovelace' })
  return email
}

t.test('a program knows who is signed in, also after its restart', async (t) => {
  const store = aStore()
  const portal = aProgram(store)
  t.same(await portal.session.look(), { is: 'signed-out' })
  const email = await registered(portal)
  t.match(await portal.signIn({ email, password }), { is: 'signed-in', user: { email } })
  t.equal(portal.may('profile:read'), true)

  const later = aProgram(store)
  t.match(await later.session.look(), { is: 'signed-in', user: { email } })
  await later.signOut()
  t.same(await aProgram(store).session.look(), { is: 'signed-out' })
  t.notMatch(store.saved.at(-1), 'portal_session', 'cleared cookies are not kept')
})

t.test('a new cookie replaces the one before, which a repeated call then has', async (t) => {
  const store = aStore()
  const portal = aProgram(store, { onProof: () => portal.proof.password(password) })
  const email = await registered(portal)
  await portal.signIn({ email, password })
  const before = store.saved.at(-1)
  await portal.proof.password(password)
  t.not(store.saved.at(-1), before)
  t.match(await portal.session.look(), { is: 'signed-in' })
})

t.test('cookies go to the host that has set them, and an old one to none', async (t) => {
  const sent: (string | null)[] = []
  const answer = (cookie: string) => new Response(null, { headers: { 'set-cookie': cookie } })
  let next = answer('a=1=2; Max-Age=60; Path=/')
  const send = keepCookies(undefined, async ({ headers }) => {
    sent.push(headers.get('cookie'))
    return next
  })
  const call = (url: string) => send(new Request(url))
  await call('https://a.example/')
  next = answer('b=3; Max-Age=0')
  await call('https://a.example:444/')
  await call('http://a.example/')
  await call('https://a.example/path')
  next = answer('a=; Max-Age=0')
  await call('https://a.example/')
  await call('https://a.example/')
  t.same(sent, [null, null, null, 'a=1=2', 'a=1=2', null])
})

t.test('a store that fails is asked again with the next call', async (t) => {
  let isLocked = true
  const store = {
    load() {
      if (isLocked) throw new Error('the store is locked')
      return '{"https://a.example":{"a":{"value":"1","ends":9e15}}}'
    },
    save() {}
  }
  const send = keepCookies(store, async ({ headers }) => new Response(headers.get('cookie')))
  const call = () => send(new Request('https://a.example/'))
  await t.rejects(call(), { message: 'the store is locked' })
  isLocked = false
  t.equal(await (await call()).text(), 'a=1')
})

t.test('a cookie whose time is over is not sent', async (t) => {
  const load = () =>
    '{"https://a.example":{"a":{"value":"1","ends":1},"b":{"value":"2","ends":9e15}}}'
  const transfer = async ({ headers }: Request) => new Response(headers.get('cookie'))
  const send = keepCookies({ load, save() {} }, transfer)
  t.equal(await (await send(new Request('https://a.example/'))).text(), 'b=2')
})

t.test('on a server, the session stays unknown with a cookie jar as well', async (t) => {
  const portal = aProgram(aStore(), { oneUser: false })
  const email = await registered(portal)
  t.same(await portal.signIn({ email, password }), { is: 'unknown' })
})

t.test('spaces around an address, which keyboards of phones add, are not sent', async (t) => {
  const portal = aProgram()
  const email = freshEmail()
  await portal.register({ email: ` ${email}`, password, name: 'Ada' })
  t.match(await portal.signIn({ email: `${email} `, password }), { user: { email } })
})

t.test('a client without a portal says so once', async (t) => {
  const warnings: unknown[] = []
  t.intercept(console, 'warn', { value: (text: unknown) => warnings.push(text) })
  for (const fetch of [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  ]) {
    const portal = aProgram(undefined, { baseUrl: 'https://portal.example.com', fetch })
    t.same(await portal.session.look(), { is: 'unknown' })
    await portal.session.look()
  }
  const words = /No portal responds at https:\/\/portal\.example\.com\/.+CORS_ORIGINS/
  t.match(warnings, [words, words])
  t.equal(warnings.length, 2)
})
