import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { tokens } from '../../db/schema/tokens.ts'
import { freshEmail, password, ownApp, until } from '../support/app.ts'
import { startChromium } from './chromium.ts'
import { serve, startWebApp } from './web-app.ts'

/** A development portal that catches mail, the app that uses it, and a browser. */
async function startAll(t: Test) {
  let base = ''
  const app = await startWebApp(t, () => base)
  const portal = await ownApp(t, {
    EMAIL_VERIFICATION: 'required',
    CORS_ORIGINS: [app.origin],
    ACCOUNT_URL: app.origin
  })
  await portal.listen({ host: '127.0.0.1', port: 0 })
  base = `http://localhost:${(portal.server.address() as AddressInfo).port}`
  // Processes of the browser outlive it a little, and would keep the portal from closing.
  t.teardown(() => portal.server.closeAllConnections())
  return { app, portal, base, chromium: await startChromium(t) }
}

/** Registers in the app, and opens the mail with the link. */
async function registerAndOpenMail(
  t: Test,
  { app, base, chromium }: Awaited<ReturnType<typeof startAll>>
) {
  const email = freshEmail()
  const page = await chromium.open(`${app.origin}/register`)
  for (const [name, text] of Object.entries({ name: 'Ada Lovelace', email, password })) {
    await page.fill(`[name=${name}]`, text)
  }
  await page.click('button')
  t.equal(await page.textContent('output:not(:empty)'), 'register 202')
  await until(async () => {
    await page.goto(`${base}/mail`)
    return (await page.textContent('body'))?.includes(email)
  })
  await page.click('.list a')
  await page.locator('iframe').waitFor()
  const link = /http:\S+\/confirm\?token=\S+/.exec((await page.textContent('pre')) ?? '')?.[0]
  if (link === undefined) throw new Error('no link in the mail')
  return { email, page, link }
}

t.test('a user registers, opens the mail at /mail, follows its link and signs in', async (t) => {
  const all = await startAll(t)
  const { app, portal, base, chromium } = all
  const { email, page, link } = await registerAndOpenMail(t, all)
  const unused = await portal.db.select().from(tokens)
  t.match(unused, [{ purpose: 'confirm' }])

  for (const method of ['GET', 'HEAD']) t.equal((await fetch(link, { method })).status, 200)
  const scanner = await chromium.open(link)
  t.equal(await scanner.evaluate(() => location.search), '', 'the page has run')
  t.same(await portal.db.select().from(tokens), unused, 'GET, HEAD and the page consume nothing')
  app.requests.length = 0

  const opened = page.context().waitForEvent('page')
  await page.frameLocator('iframe').locator('a').first().click()
  await until(() => app.requests.some(({ url }) => link.endsWith(String(url))))
  const tab = await opened
  await tab.waitForLoadState()
  t.same(
    await tab.evaluate(() => [window.opener, document.referrer, location.search]),
    [null, '', ''],
    'the tab knows nothing of the mail, and its address has no token'
  )
  t.same(
    app.requests.map(({ headers }) => headers.referer),
    app.requests.map(() => undefined)
  )
  t.same(await portal.db.select().from(tokens), unused)

  await tab.fill('[name=password]', 'not this password')
  await tab.click('button')
  t.equal(await tab.textContent('output:not(:empty)'), 'confirm 401, me 401, nobody')
  await tab.fill('[name=password]', password)
  await tab.click('button')
  await until(
    async () => (await tab.textContent('output:not(:empty)')) !== 'confirm 401, me 401, nobody'
  )
  t.equal(await tab.textContent('output:not(:empty)'), `confirm 200, me 200, ${email}`)
  t.same(await portal.db.select().from(tokens), [], 'the link is used up')
  t.equal((await fetch(`${base}/mail`)).status, 200)
})

t.test('the frame of a mail runs no script, and loads nothing from elsewhere', async (t) => {
  const all = await startAll(t)
  const { app, base } = all
  const { page } = await registerAndOpenMail(t, all)
  const path = await page.evaluate(() => location.pathname)
  const hostile = (name: string) => {
    const target = (what: string) => `${app.origin}/${name}/${what}`
    return `<script>fetch('${target('script')}')</script>
<img src="data:," onerror="fetch('${target('handler')}')">
<img src="${target('image')}">
<link rel="stylesheet" href="${target('style')}">
<iframe src="${target('frame')}"></iframe>`
  }
  /** The portal, with hostile content in its mail, and with its policies or without. */
  const altered = (name: string, withPolicy: boolean) =>
    serve(t, async ({ url = '' }, response) => {
      if (!url.startsWith(path)) return response.writeHead(404).end()
      const answer = await fetch(base + url)
      const headers = new Headers(answer.headers)
      headers.delete('content-length')
      if (!withPolicy) headers.delete('content-security-policy')
      response.writeHead(answer.status, Object.fromEntries(headers))
      response.end((await answer.text()) + (url === `${path}/html` ? hostile(name) : ''))
    })
  await page.goto((await altered('guarded', true)) + path)
  await page.goto((await altered('open', false)) + path)
  const loaded = (name: string) =>
    app.requests.flatMap(({ url }) => (url?.startsWith(`/${name}/`) ? [url.split('/')[2]] : []))
  await until(() => loaded('open').length >= 5)
  t.same(new Set(loaded('open')), new Set(['script', 'handler', 'image', 'style', 'frame']))
  t.same(loaded('guarded'), [], 'none of which gets through the policy')
})
