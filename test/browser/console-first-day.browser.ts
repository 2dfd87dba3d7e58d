import { writeFileSync } from 'node:fs'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { shows } from './account-pages.ts'
import { startPages } from './portal.ts'

const folder = temporaryFolder(t)
const secret = 'correct horse battery'
const { open } = await startPages(t, { DATABASE_URL: `pglite:${folder}/db` })

t.test('the sign-in says which account exists and where its password is', async (t) => {
  const passwordFile = `${folder}/db.admin-password`
  const early = await open('/console')
  await early.locator('[name=email]').waitFor()
  t.notMatch(await early.innerText('main'), 'admin@portal.localhost', 'none was created')
  writeFileSync(passwordFile, secret)
  const page = await open('/console')
  await shows(page, 'The first start created admin@portal.localhost.')
  t.match(await page.innerText('main'), 'db.admin-password')
  t.notMatch(await page.content(), secret)
  t.equal(await page.getByRole('link', { name: 'Forgot the password?' }).count(), 1)
})
