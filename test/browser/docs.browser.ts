import type { AddressInfo } from 'node:net'
import t from 'tap'
import { ownApp } from '../support/app.ts'
import { startChromium } from './chromium.ts'

const portal = await ownApp(t)
await portal.listen({ host: '127.0.0.1', port: 0 })
t.teardown(() => portal.server.closeAllConnections())
const chromium = await startChromium(t)
const problems: string[] = []
const page = await chromium.open(
  `http://localhost:${(portal.server.address() as AddressInfo).port}/docs`,
  (problem) => problems.push(problem)
)

t.test('the reference page has its own title and icon', async (t) => {
  await page.locator('.opblock-tag').first().waitFor()
  t.equal(await page.locator('.opblock').count(), 0, 'no operation is unfolded')
  t.equal(await page.evaluate(() => document.title), 'portal: API reference')
  t.match(await page.getAttribute('link[rel=icon]', 'href'), /\/icon\.svg$/)
})

t.test('the reference page sends a request with its example', async (t) => {
  await page.locator('#operations-tag-auth').click()
  const execute = async (operation: string) => {
    const block = page.locator(`#operations-${operation}`)
    await block.locator('.opblock-summary-control').click()
    await block.locator('.btn.execute').click()
    const row = block.locator('.live-responses-table > tbody > tr')
    return (await row.locator('.response-col_status').innerText()).trim().slice(0, 3)
  }
  t.equal(await execute('auth-register'), '201')
  t.equal(await execute('auth-login'), '200')
})

t.test('neither the content policy nor a script has reported anything', (t) => {
  t.same(problems, [])
  t.end()
})
