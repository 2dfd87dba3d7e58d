import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { pages, readPage } from '../support/documents.ts'
import { root } from '../support/root.ts'
import { confirmed } from '../support/mails.ts'
import { aStillTab, hold } from './chromium.ts'
import { startConsole } from './console-pages.ts'
import { fillWith } from './grid-data.ts'
import { isShown } from './grid.ts'

// The images of the documents, with the sample data. SCREENSHOTS=on writes them to docs/images.

const images = path.join(root, 'docs/images')
const { app, base, visit, visitAs } = await startConsole(t)
const { user, names } = await fillWith('real', app)
await confirmed(app.database, user)

async function take(page: Page, address: string, name: string) {
  await page.goto(base + address)
  await isShown(page)
  if (process.env.SCREENSHOTS !== 'on') return
  await page.screenshot({ path: path.join(images, `${name}.png`), animations: 'disabled' })
}

const before = { 'account-sign-in': '/account/sign-in' }
const after = {
  'console-overview': '/console',
  'console-user': `/console/users/${names.id}/access`,
  'console-flag': `/console/flags/${names.flag}`,
  'console-activity': '/console/activity',
  'account-security': '/account/security'
}

t.test('each image of the documents is of a view that exists', async (t) => {
  const visitor = await visit('/console')
  await visitor.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const [name, address] of Object.entries(before)) await take(visitor, address, name)
  const page = await visitAs(user, '/console')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const [name, address] of Object.entries(after)) await take(page, address, name)
  const taken = Object.keys({ ...before, ...after }).map((name) => `${name}.png`)
  t.same(
    readdirSync(images).filter((file) => file.endsWith('.png')),
    taken.sort()
  )
})

t.test('each image is in a document', async (t) => {
  const text = pages().map(readPage).join('\n')
  for (const file of readdirSync(images)) t.match(text, `images/${file}`)
})

t.test(
  'on a phone, neither the overview nor a user moves when its last part arrives',
  async (t) => {
    const page = await visitAs(user, '/console')
    const last = { '': '**/evaluations', [`/users/${names.id}`]: '**/obstacles' }
    for (const [address, late] of Object.entries(last)) {
      const { tab, shift } = await aStillTab(page)
      const release = await hold(tab, late)
      const arrives = tab.waitForResponse(late)
      await tab.goto(`${base}/console${address}`)
      await tab.locator('main .records').waitFor()
      release()
      await (await arrives).finished()
      t.ok((await shift()) <= 0.02, address)
      await tab.close()
    }
  }
)
