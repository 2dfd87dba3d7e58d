import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aRole, aUser, operator, password } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { letProofsAge } from '../support/second-factors.ts'
import { startClientApp } from './client-page.ts'
import { installExample, npm } from './example-app.ts'

// The app of docs/start/react.md, as it is installed, compiled and built.

const folder = installExample(t, 'react')
npm(folder, 'run', 'build')
const assets = path.join(folder, 'dist/assets')
const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
t.equal(scripts.length, 1)

const { app, visit } = await startClientApp(
  t,
  {},
  {
    '/built.js': async () => readFileSync(path.join(assets, scripts[0] ?? ''), 'utf8'),
    '/react.js': async () => `
      document.body.append(Object.assign(document.createElement('div'), { id: 'root' }))
      await import('/built.js')
    `
  }
)

t.test('a user signs in, gets a permission and a flag, and authenticates again', async (t) => {
  await createPermission(app.db, operator, { key: 'invoices:read' })
  const accountant = await aRole(app.database, 'invoices:read')
  await createFlag(app.db, operator, {
    key: 'new-greeting',
    ...onOrOff,
    rules: [{ when: { rolesAny: [accountant] }, serve: { variant: 'on' } }]
  })
  const user = await aUser(app.database)
  const page = await visit('/react.js')
  const click = (name: string) => page.getByRole('button', { name }).click()
  await page.getByLabel('E-mail address').fill(user.email)
  await page.getByLabel('Password').fill('something else')
  await click('Sign in')
  await page.getByText('The e-mail address or the password is wrong').waitFor()
  await page.getByLabel('Password').fill(password)
  await click('Sign in')
  await page.getByText('Hello, ').waitFor()
  await page.getByText('You may not see invoices.').waitFor()

  await letProofsAge(app, user) // before the grant, after which the server reads the session again
  await grantRole(app.db, operator, { userId: user.id, role: accountant })
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('button', { name: 'Show my invoices' }).waitFor()
  const next = await visit('/react.js')
  await next.getByText('Good to see you, ').waitFor()

  await click('Show my invoices')
  const answer = page.getByRole('dialog').getByLabel('Your password')
  await answer.fill('something else')
  await click('Go on')
  await page.getByText('The current password is wrong').waitFor()
  await answer.fill(password)
  await click('Go on')
  await page.getByText('Two invoices are open.').waitFor()

  await next.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  t.equal(await page.getByText('invoices').count(), 0)
})
