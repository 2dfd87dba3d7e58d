import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import type { Test } from 'tap'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aRole, aUser, operator, ownApp, password, temporaryFolder } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { onOrOff } from '../support/flags.ts'
import { freePort } from '../support/postgres.ts'
import { root } from '../support/root.ts'
import { letProofsAge } from '../support/second-factors.ts'
import { startChromium } from './chromium.ts'
import { npm, startGroup } from './example-app.ts'

// The pages of docs/start for a framework, by the letter: their commands run in an empty folder with
// the packages of today, as a reader gets them, and their blocks are the files of the app.

const downloads = temporaryFolder(t)

/** Runs the block of a page that begins with these words, with another folder than /tmp. */
function run(page: string, words: string, cwd: string) {
  const block = blocksOf(page).find(({ text }) => text.startsWith(words))
  if (!block) throw new Error(`${page} has no ${words}`)
  const text = block.text.replaceAll('/tmp', downloads)
  execFileSync('sh', ['-ec', text], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

run('docs/start/react.md', 'node bin/client-package.js', root)
const app = await ownApp(t)
await app.listen({ host: '127.0.0.1', port: 0 })
t.teardown(() => app.server.closeAllConnections())
const portal = `http://localhost:${(app.server.address() as AddressInfo).port}`
await createPermission(app.db, operator, { key: 'invoices:read' })
const accountant = await aRole(app.database, 'invoices:read')
await createFlag(app.db, operator, {
  key: 'new-greeting',
  ...onOrOff,
  rules: [{ when: { rolesAny: [accountant] }, serve: { variant: 'on' } }]
})
const { open } = await startChromium(t)

/** Creates the app of a page, compiles it, and starts it until the test ends. */
async function startAppOf(t: Test, page: string) {
  const cwd = temporaryFolder(t)
  run(page, 'npm create', cwd)
  const folder = path.join(cwd, 'my-app')
  const files = blocksOf(page).filter(({ file }) => file !== undefined)
  for (const { file = '', text } of files) {
    writeFileSync(path.join(folder, file), text.replaceAll('http://localhost:3000', portal))
  }
  npm(folder, 'run', '--if-present', 'check') // of Svelte, whose build checks no types
  npm(folder, 'run', 'build')
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const args = ['run', 'dev', '--', '--port', String(port), '--strictPort']
  await startGroup(t, 'npm', args, { cwd: folder, env: {}, until: origin })
  return origin
}

const click = (page: Page, name: string) => page.getByRole('button', { name }).click()

for (const name of ['react', 'vue', 'svelte']) {
  t.test(`docs/start/${name}.md leads to an app with who is signed in, and what for`, async (t) => {
    const origin = await startAppOf(t, `docs/start/${name}.md`)
    const user = await aUser(app.database)
    const visit = () => open(origin, (problem) => t.fail(problem))
    const page = await visit()
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill('something else')
    await click(page, 'Sign in')
    await page.getByText('The e-mail address or the password is wrong').waitFor()
    await page.getByLabel('Password').fill(password)
    await click(page, 'Sign in')
    await page.getByText('Hello, ').waitFor()
    await page.getByText('You may not see invoices.').waitFor()

    await letProofsAge(app, user) // before the grant, after which the server reads the session again
    await grantRole(app.db, operator, { userId: user.id, role: accountant })
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    const next = await visit()
    if (name === 'react') {
      await next.getByText('Good to see you, ').waitFor()
      await authenticateAgain(page)
    } else {
      await page.getByText('You may see invoices.').waitFor()
    }

    await click(next, 'Sign out')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    t.equal(await page.getByText('invoices').count(), 0)
  })
}

async function authenticateAgain(page: Page) {
  await click(page, 'Show my invoices')
  const answer = page.getByRole('dialog').getByLabel('Your password')
  await answer.fill('something else')
  await click(page, 'Go on')
  await page.getByText('The current password is wrong').waitFor()
  await answer.fill(password)
  await click(page, 'Go on')
  await page.getByText('Two invoices are open.').waitFor()
}
