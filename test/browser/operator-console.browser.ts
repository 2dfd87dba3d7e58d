import t from 'tap'
import { serverVariables, startConsole } from '../support/console-process.ts'
import { checkAccessibility } from './axe.ts'
import { isLoaded, offers, says, shows } from './console-pages.ts'
import { hostile, hostileDatabase, startVisits } from './operator-pages.ts'

const { visit } = await startVisits(t)

for (const canWrite of [false, true]) {
  const mode = canWrite ? 'with --write' : 'read only'
  t.test(`every view of a console ${mode} can be used, with hostile texts`, async (t) => {
    const { url, eve } = await hostileDatabase(t)
    const running = await startConsole(t, canWrite ? ['--write'] : [], serverVariables(url))
    const page = await visit(t, running.link())
    t.equal(new URL(page.url()).hash, '', 'the link is not in the address')
    t.equal(await page.evaluate(() => document.cookie), '')
    t.notOk((await page.content()).includes('#start='))
    const user = `/users/${eve.id}`
    const tabs = ['', '/access', '/sessions', '/security', '/activity', '/json']
    for (const path of [
      '',
      '/users',
      ...tabs.map((tab) => user + tab),
      '/roles',
      '/roles/accountant',
      '/permissions',
      '/sessions',
      '/flags',
      '/flags/new-checkout',
      '/providers',
      '/new-flag',
      '/activity',
      '/mail'
    ]) {
      await page.goto(new URL(`/console${path}`, page.url()).href)
      await shows(page, canWrite ? 'changes allowed' : 'read only', '.where')
      await isLoaded(page)
      t.equal(await page.locator('.problem').count(), 0, path)
      t.equal(await page.locator('img[src=x]').count(), 0, path)
      await checkAccessibility(t, page, `${mode}: ${path}`)
    }
    t.equal(await page.locator('nav >> text=Health').count(), 0)
    if (canWrite) return
    await page.goto(new URL('/console/users', page.url()).href)
    await isLoaded(page)
    await page.locator('button.locked', { hasText: /Invite|Create a user/ }).focus()
    await page.keyboard.press('Enter')
    await says(page, 'On the command line: portal user create --email ADDRESS')
    t.equal(await page.locator('dialog[open]').count(), 0)
  })
}

t.test('the view of a user says what they get with one factor and with two', async (t) => {
  const { url, eve } = await hostileDatabase(t)
  const running = await startConsole(t, [], serverVariables(url))
  const page = await visit(t, running.link())
  await page.goto(new URL(`/console/users/${eve.id}/access?assurance=1`, page.url()).href)
  await page.fill('[name=permission]', 'invoices:read')
  await shows(page, `Not with one factor: ${hostile.slice(0, 60)} would give invoices:read`)
  await offers(page, 'portal user can eve@example.com invoices:read --assurance 1')
  await page.selectOption('[name=assurance]', '2')
  await shows(page, `Yes, with two factors: invoices:read comes from ${hostile.slice(0, 60)}`)
  await shows(page, 'Rule 1 matched.')
  await page.fill('[name=permission]', 'users:delete')
  await shows(page, 'has users:delete.')
})
