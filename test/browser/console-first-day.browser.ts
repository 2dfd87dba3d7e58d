import { writeFileSync } from 'node:fs'
import t from 'tap'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { anonymous, password, temporaryFolder, until } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { shows } from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import { isLoaded, startConsole } from './console-pages.ts'
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
  t.equal(await page.getByRole('link', { name: 'Forgot password?' }).count(), 1)
})

t.test('the first steps of an empty portal tick themselves, and can be hidden', async (t) => {
  const { app, anAdministrator, base, visitAs } = await startConsole(t)
  const { user: admin, call } = await anAdministrator()
  const page = await visitAs(admin, '/console')
  const steps = page.locator('.steps')
  const done = () => steps.locator('.done a').allInnerTexts()
  await steps.waitFor()
  t.equal(await steps.locator('li').count(), 4)
  t.same(await done(), [])
  await checkAccessibility(t, page, 'first steps')

  const created = await call('POST', '/api/admin/flags', { ...onOrOff, key: 'first' })
  t.equal(created.statusCode, 201)
  await registerUser(app.context, anonymous, {
    email: 'grace@example.com',
    password,
    name: 'Grace Hopper'
  })
  await page.reload()
  await until(async () => (await done()).length >= 2)
  t.match(await done(), [/^Register a user/])
  t.match(await done(), { length: 3 }, 'the user, their mail and the flag')

  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  t.equal(await steps.count(), 0)
  await page.goto(`${base}/console`)
  await page.locator('.figures').waitFor()
  await isLoaded(page)
  t.equal(await steps.count(), 0, 'also after it is loaded again')
})
