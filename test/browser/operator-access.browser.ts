import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t from 'tap'
import { until } from '../support/app.ts'
import { connectTo, serverVariables, startConsole } from '../support/console-process.ts'
import { freePort } from '../support/postgres.ts'
import { checkAccessibility } from './axe.ts'
import { press, shows } from './console-pages.ts'
import { hostileDatabase, startVisits } from './operator-pages.ts'

const { open, visit } = await startVisits(t)

t.test('a page that outlives its console keeps what was typed, and goes on', async (t) => {
  const { url } = await hostileDatabase(t)
  const env = serverVariables(url)
  const args = ['--write', '--port', String(await freePort())]
  const first = await startConsole(t, args, env)
  const page = await visit(t, first.link())
  await page.goto(new URL('/console/users', page.url()).href)
  await press(page, /^(Invite|Create a user)$/)
  await page.fill('dialog [name=email]', 'grace@example.com')
  await page.fill('dialog [name=name]', 'Grace Hopper')
  first.child.kill('SIGINT')
  t.equal(await first.exit, 0)

  await page.click('dialog [type=submit]')
  await shows(page, 'The console has ended')
  await shows(page, `portal console --write --port ${args.at(-1)}`)
  await checkAccessibility(t, page, 'the console has ended')
  await press(page, 'Back to the page')
  t.equal(await page.inputValue('dialog [name=email]'), 'grace@example.com')
  await press(page, 'Continue', '.ended')

  const second = await startConsole(t, args, env)
  await page.fill('dialog [name=link]', `${second.link()}x`)
  await page.press('dialog [name=link]', 'Enter')
  await shows(page, 'Paste the whole link')
  await page.fill('dialog [name=link]', second.link())
  await page.press('dialog [name=link]', 'Enter')
  await until(async () => (await page.locator('text=The console has ended').count()) === 0)
  t.equal(await page.inputValue('dialog [name=name]'), 'Grace Hopper')
  await page.click('dialog [type=submit]')
  await shows(page, 'grace@example.com', 'main')
  await until(() => /user\.create grace@example\.com/.test(second.output()))

  const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await until(async () => (await kept()).includes('Grace Hopper'))
  await page.click('.user > button')
  await press(page, 'End', '.user')
  t.equal(await second.exit, 0)
  await shows(page, 'The console has ended')
  t.equal(await kept(), '{}', 'neither the token nor who was opened')
})

t.test('a page without a link asks for one', async (t) => {
  const { url } = await hostileDatabase(t)
  const running = await startConsole(t, [], serverVariables(url))
  const { origin } = new URL(running.link())
  const page = await open(`${origin}/console/users`, (problem) => t.fail(problem))
  await shows(page, 'Open the link that')
  await checkAccessibility(t, page, 'without a link')
  const used = running.link()
  await connectTo(running)
  await page.fill('[name=link]', used)
  await page.press('[name=link]', 'Enter')
  await shows(page, 'This link was used already')
  running.child.stdin?.write('\n')
  await until(() => running.link() !== used)
  await page.fill('[name=link]', running.link())
  await page.press('[name=link]', 'Enter')
  await shows(page, 'eve@example.com', 'main')
})

t.test('a page on another port can neither read, post, frame nor reach it', async (t) => {
  const { url } = await hostileDatabase(t)
  const running = await startConsole(t, ['--write'], serverVariables(url))
  const page = await visit(t, running.link())
  const { origin } = new URL(running.link())
  const other = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Another page</h1>')
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const foreign = await open(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
  const tried = await foreign.evaluate(async (target) => {
    const outcome = (call: Promise<Response>) =>
      call.then(
        ({ type, status }) => `${type} ${status}`,
        () => 'rejected'
      )
    const framed = document.createElement('iframe')
    framed.src = `${target}/console`
    document.body.append(framed)
    await new Promise((resolve) => framed.addEventListener('load', resolve))
    return {
      read: await outcome(fetch(`${target}/api/admin/users`)),
      post: await outcome(
        fetch(`${target}/api/console/session`, { method: 'POST', mode: 'no-cors', body: '{}' })
      ),
      frame: String(framed.contentDocument)
    }
  }, origin)
  // The browser sends them, and keeps the responses from the page.
  t.same(tried, { read: 'rejected', post: 'rejected', frame: 'null' })
  const statusOf = async (from: Page, path: string) => {
    const opened = await from.context().newPage()
    const answer = await opened.goto(origin + path)
    await opened.close()
    return answer?.status()
  }
  t.equal(await statusOf(foreign, '/console'), 200, 'typed by its user')
  const [opened] = await Promise.all([
    foreign.context().waitForEvent('page'),
    foreign.evaluate((target) => {
      window.open(`${target}/console`)
    }, origin)
  ])
  await until(async () => (await opened.innerText('body')).includes('cross-site'))
  t.equal(await page.locator('.where').count(), 1, 'the console goes on')
})

t.test('a link works in one tab only, and another link takes over', async (t) => {
  const { url } = await hostileDatabase(t)
  const running = await startConsole(t, [], serverVariables(url))
  const used = running.link()
  const first = await visit(t, used)
  running.child.stdin?.write('\n')
  await until(() => running.link() !== used)
  await visit(t, running.link())
  await first.evaluate((id) => history.pushState(null, '', `?${id}`), randomUUID())
  await press(first, 'Reload', 'main')
  await shows(first, 'was opened in another tab')
})
