import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { build } from 'esbuild'
import t from 'tap'
import { createFlag, updateFlag } from '../../src/domain/flags/flags.ts'
import { restoreFlag } from '../../src/domain/flags/restore.ts'
import { createSegment, updateSegment } from '../../src/domain/flags/segments.ts'
import { aUser, callerOf, operator, password, ownApp, until } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { root } from '../support/root.ts'
import { startChromium } from './chromium.ts'
import type { Page } from 'playwright-core'
import { startProxy } from './web-app.ts'

// The example of docs/do/flags.md for browsers, with the SDK, in a page with a real localStorage.

const example = blocksOf('docs/do/flags.md').find(({ file }) => file === 'flags.js')?.text ?? ''
const keepsNothing = "cacheMode: 'disabled',"
const replaces = 'OpenFeature.setProviderAndWait(provider, {'
t.ok(example.includes(keepsNothing) && example.includes(replaces), 'the example is complete')

const bundle = async (text: string) => {
  const contents = `${text}
export const valueOf = (key) => OpenFeature.getClient().getStringValue(key, 'nobody')
export const greeting = () => valueOf('greeting')`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(root, 'test') },
    bundle: true,
    format: 'esm',
    write: false
  })
  return outputFiles[0]?.text ?? ''
}
const files = new Map([
  ['/flags.js', await bundle(example)],
  [
    '/constant-key.js',
    await bundle(example.replace(keepsNothing, '').replace('user?.id ?? visitorKey', 'visitorKey'))
  ],
  ['/often.js', await bundle(example.replace('pollInterval: 60_000', 'pollInterval: 100'))],
  ['/cached.js', await bundle(example.replace(keepsNothing, ''))],
  [
    '/set-context.js',
    await bundle(`${example.replace(replaces, 'setOnce(provider, {')}
let set
const setOnce = (provider, context) => {
  if (set) return OpenFeature.setContext(context)
  set = true
  return OpenFeature.setProviderAndWait(provider, context)
}`)
  ]
])

let port = 0
const origin = await startProxy(t, files, () => port)
const chromium = await startChromium(t)
const portal = await ownApp(t, { PUBLIC_ORIGIN: origin })
await portal.listen({ host: '127.0.0.1', port: 0 })
port = (portal.server.address() as AddressInfo).port
t.teardown(() => portal.server.closeAllConnections())

const [ada, grace] = [await aUser(portal.database), await aUser(portal.database)]
await createFlag(portal.db, operator, {
  key: 'greeting',
  type: 'string',
  public: false,
  variants: { ada: 'Ada', grace: 'Grace', other: 'other' },
  defaultVariant: 'other',
  offVariant: 'other',
  rules: [
    { when: { users: [ada.id] }, serve: { variant: 'ada' } },
    { when: { users: [grace.id] }, serve: { variant: 'grace' } }
  ]
})

/** Reads the flags as at the start of an app, and returns the flag. */
const read = (page: Page, file = 'flags') =>
  page.evaluate<string, string>(async (file) => {
    const { greeting, readFlags } = await import(file)
    const me = await fetch('/api/auth/me')
    await readFlags(me.ok ? (await me.json()).user : null, 'visitor-7').catch(() => {})
    return greeting()
  }, `/${file}.js`)
const post = (page: Page, url: string, body?: object) =>
  page.evaluate(
    async ({ url, body }) => {
      const headers = { 'content-type': 'application/json' }
      const request = body && { headers, body: JSON.stringify(body) }
      return (await fetch(url, { method: 'POST', ...request })).status
    },
    { url, body }
  )
const signIn = (page: Page, { email }: { email: string }) =>
  post(page, '/api/auth/login', { email, password })
const signOut = (page: Page) => post(page, '/api/auth/logout')
const stored = (page: Page) => page.evaluate(() => JSON.stringify(localStorage))

t.test('two users of a browser, one after the other, get their own flags', async (t) => {
  const page = await chromium.open(origin)
  const both = async (expected: string, message: string) => {
    t.equal(await read(page), expected, message)
    await page.goto(`${origin}/reloaded`)
    t.equal(await read(page), expected, `${message}, after a reload`)
    t.equal(await stored(page), '{}')
  }
  await both('nobody', 'a visitor')
  t.equal(await signIn(page, ada), 200)
  await both('Ada', 'Ada')
  t.equal(await signOut(page), 204)
  await both('nobody', 'Ada has signed out')
  t.equal(await signIn(page, grace), 200)
  await both('Grace', 'Grace')
  t.equal(await signIn(page, ada), 200)
  await both('Ada', 'Ada again, without a sign-out before')
  const elsewhere = await callerOf(portal, ada)
  t.equal((await elsewhere.call('DELETE', '/api/user/sessions')).statusCode, 204)
  await both('nobody', 'the session has ended elsewhere')
})

t.test('a segment, a restored version and a scheduled change reach an open page', async (t) => {
  const when = (...users: string[]) => ({ when: { users } })
  await createSegment(portal.db, operator, { key: 'guests', ...when('visitor-7') })
  const served = (variant: string, when: object) => [{ when, serve: { variant } }]
  await createFlag(portal.db, operator, {
    key: 'welcome',
    type: 'string',
    public: true,
    variants: { hello: 'hello', later: 'later', none: 'none' },
    defaultVariant: 'none',
    offVariant: 'none',
    rules: served('hello', { segmentsAny: ['guests'] })
  })
  const page = await chromium.open(origin)
  const welcome = () =>
    page.evaluate<string, string>(async (file) => {
      const { valueOf } = await import(file)
      return valueOf('welcome')
    }, '/often.js')
  const becomes = (value: string) => until(async () => (await welcome()) === value)
  await read(page, 'often')
  t.equal(await welcome(), 'hello')
  await updateSegment(portal.db, operator, { key: 'guests', changes: when('visitor-8') })
  await becomes('none')
  const rules = served('later', {})
  await updateFlag(portal.db, operator, { key: 'welcome', changes: { rules } })
  await becomes('later')
  await restoreFlag(portal.db, operator, { key: 'welcome', version: 1 })
  await becomes('none')
  const from = new Date(Date.now() + 1000).toISOString()
  const timed = { rules: served('later', { from }) }
  await updateFlag(portal.db, operator, { key: 'welcome', changes: timed })
  t.ok((await welcome()) === 'none' || Date.now() >= Date.parse(from), 'not before its time')
  await becomes('later')
})

t.test('values do not outlive a sign-out when the portal cannot be reached', async (t) => {
  const page = await chromium.open(origin)

  for (const [file, left] of [
    ['flags', 'nobody'],
    ['set-context', 'Ada']
  ] as const) {
    await page.goto(`${origin}/${file}`)
    await signIn(page, ada)
    t.equal(await read(page, file), 'Ada')
    await signOut(page)
    await page.route('**/ofrep/**', (route) => route.abort())
    t.equal(await read(page, file), left, file)
    await page.unroute('**/ofrep/**')
  }
})

t.test('with its cache the provider keeps the values of the previous user', async (t) => {
  const page = await chromium.open(origin)
  await signIn(page, ada)
  t.equal(await read(page, 'constant-key'), 'Ada')
  await signOut(page)
  await signIn(page, grace)
  await page.goto(`${origin}/reloaded`)
  t.equal(await read(page, 'constant-key'), 'Ada', 'shown to Grace')
  await page.evaluate(() => localStorage.clear())
  t.equal(await read(page, 'cached'), 'Grace')
  await signOut(page)
  t.match(await stored(page), /"value\W+Grace/, 'left behind')
  const cleanUp = blocksOf('docs/do/flags.md').find(({ text }) => text.includes('removeItem'))?.text
  await page.evaluate(cleanUp ?? '')
  t.equal(await stored(page), '{}')
})
