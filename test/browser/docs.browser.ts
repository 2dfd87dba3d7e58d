import type { AddressInfo } from 'node:net'
import t from 'tap'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aCaller, operator, ownApp } from '../support/app.ts'
import { startChromium } from './chromium.ts'
import type { Locator, Page } from 'playwright-core'

const portal = await ownApp(t)
await portal.listen({ host: '127.0.0.1', port: 0 })
t.teardown(() => portal.server.closeAllConnections())
await aCaller(portal, 'admin') // the administrator of the first start
const chromium = await startChromium(t)
const problems: string[] = []
const page = await chromium.open(
  `http://localhost:${(portal.server.address() as AddressInfo).port}/docs`,
  (problem) => problems.push(problem)
)

const tagOf = (operation: string) => operation.split('-')[0] ?? ''

/** The ids of the operations, such as `auth-login`, from the top of the page to its end. */
async function operationsOf(page: Page) {
  const blocks = page.locator('.opblock')
  await blocks.first().waitFor()
  return blocks.evaluateAll((all) => all.map(({ id }) => id.slice('operations-'.length)))
}

/** Opens these groups and closes the others: each change renders every operation that is shown. */
async function openTags(page: Page, tags: string[]) {
  for (const tag of await page.locator('.opblock-tag').all()) {
    const isWanted = tags.includes((await tag.getAttribute('data-tag')) ?? '')
    if (String(isWanted) === (await tag.getAttribute('data-is-open'))) continue
    await tag.dispatchEvent('click')
    await page.locator(`#${await tag.getAttribute('id')}[data-is-open=${isWanted}]`).waitFor()
  }
}

/** Opens each operation, presses "Execute" and returns what the page shows then. */
async function execute(page: Page, operations: string[]) {
  await openTags(page, operations.map(tagOf))
  const shown: string[] = []
  for (const id of operations) {
    const block = page.locator(`#operations-${id}`)
    const toggle = block.locator('.opblock-summary-control')
    await toggle.dispatchEvent('click') // a mouse would wait until nothing moves, each time
    await block.locator('.responses-wrapper').waitFor()
    shown.push(`${id.split('-')[1]} ${await answerTo(block)}`)
    await toggle.dispatchEvent('click')
  }
  return shown
}

async function answerTo(block: Locator) {
  const button = block.locator('.btn.execute')
  if ((await button.count()) === 0) return 'has no button'
  await button.dispatchEvent('click')
  const missing = block.locator('.parameters .invalid')
  const row = block.locator('.live-responses-table > tbody > tr')
  await missing.or(row).first().waitFor()
  if ((await missing.count()) > 0) return 'asks for a value'
  const status = (await row.locator('.response-col_status').innerText()).trim().slice(0, 3)
  const [body = '{}'] = await row.locator('.highlight-code pre').allTextContents()
  const { code, items } = JSON.parse(body) as { code?: string; items?: unknown[] }
  return [status, code, items?.length === 0 && 'empty'].filter(Boolean).join(' ')
}

t.test('the reference page has its own title and icon, and no "Authorize"', async (t) => {
  await operationsOf(page)
  t.equal(await page.evaluate(() => document.title), 'portal: API reference')
  t.match(await page.getAttribute('link[rel=icon]', 'href'), /\/icon\.svg$/)
  const useless = '.topbar, .auth-wrapper .authorize, .authorization__btn'
  t.equal(await page.locator(useless).count(), 0)
})

// In the order of the page, and without any input. A refusal is about the state of the account.
t.test('an operation as it stands is accepted, and a list finds something', async (t) => {
  const operations = await operationsOf(page)
  t.same(
    [...new Set(operations.map(tagOf))],
    [
      'auth',
      'user',
      'flags',
      'machine',
      'users',
      'roles',
      'permissions',
      'services',
      'keys',
      'sessions',
      'activity',
      'outbox'
    ].concat('operations')
  )
  const of = (...tags: string[]) => operations.filter((id) => tags.includes(tagOf(id)))

  t.same(await execute(page, of('auth')), [
    'getSignInOptions 200',
    'register 201',
    'confirmAddress 400 invalid-token', // the token is in the mail
    'login 200',
    'verifyLogin 401 login-expired', // the account has no second factor
    'getPendingLogin 401 login-expired',
    'getPasskeySignInOptions 200',
    'findProvider 200',
    'beginProviderFlow 404 unknown-provider', // the configuration names none
    'showProviderCallback 404 unknown-provider',
    'postProviderCallback 404 unknown-provider',
    'finishProviderFlow 404 unknown-provider',
    'logoutByProvider 404 unknown-provider',
    'signInWithPasskey has no button', // only a device can answer
    'requestRecovery 202',
    'recoverAccount 400 invalid-token',
    'restoreAccount 400 invalid-token',
    'revertEmail 400 invalid-token',
    'revertFactors 400 invalid-token',
    'getCurrentSession 200',
    'getMe 200',
    'checkSession 204',
    'getPasskeyProofOptions 200',
    'reauthenticate 200',
    'logout 204'
  ])

  await page.reload()
  await operationsOf(page)
  t.same(await execute(page, ['auth-login']), ['login 200'])
  t.same(await execute(page, of('user')), [
    'getOwnProfile 200',
    'updateOwnProfile 200',
    'setOwnName 200',
    'setOwnTheme 200',
    'listOwnActivity 200',
    'getOwnSettings 404 settings-off',
    'updateOwnSettings 404 settings-off',
    'replaceOwnSettings 404 settings-off',
    'getSettingsSchema 404 settings-off',
    'getOwnAppSettings 404 settings-off',
    'listOwnSessions 200',
    'revokeOwnSession asks for a value',
    'revokeOtherSessions 204',
    'getOwnEmail 200',
    'setOwnEmail 202',
    'requestVerification 202',
    'confirmOwnEmail 400 invalid-token',
    'getSecurity 200',
    'requestEnrolmentLink 409 enrolment-link-not-needed', // for roles that require a factor
    'beginTotp 200',
    'confirmTotp 403 wrong-code', // the code is in the authenticator app
    'removeTotp 204',
    'getPasskeyCreationOptions 200',
    'listPasskeys 200 empty',
    'addPasskey has no button',
    'renamePasskey asks for a value',
    'removePasskey asks for a value',
    'listOwnApiKeys 200 empty',
    'createOwnApiKey 403 permission-denied', // only administrators have keys:create
    'listProviderAccounts 200 empty',
    'revokeOwnApiKey asks for a value',
    'unlinkProviderAccount asks for a value',
    'renewRecoveryCodes 409 no-second-factor',
    'setSecondFactor 204',
    'setOwnPassword 204',
    'exportOwnData 200',
    'deleteOwnAccount 204'
  ])

  await page.reload()
  await operationsOf(page)
  t.same(await execute(page, ['auth-register', 'auth-login']), ['register 201', 'login 200'])
  const [user] = await portal.db.select().from(users).where(eq(users.email, 'ada@example.com'))
  await grantRole(portal.db, operator, { userId: user?.id ?? '', role: 'admin' })
  t.same(await execute(page, of('flags')), [
    'listFlags 200 empty', // there are none at the start
    'createFlag 201',
    'listStaleFlags 200 empty',
    'tryFlag 200',
    'evaluateFlags 200',
    'evaluateFlag 200',
    'getFlagEvaluations 200',
    'getFlag 200',
    'updateFlag 200',
    'listFlagRevisions 200',
    'restoreFlag 200',
    'deleteFlag 204',
    'listDeletedFlags 200',
    'listSegments 200 empty',
    'createSegment 201',
    'getSegment 200',
    'updateSegment 200',
    'listSegmentRevisions 200',
    'restoreSegment 200',
    'deleteSegment 204'
  ])
  t.same(await execute(page, of('users', 'roles', 'permissions')), [
    'getSettingsSchemaForAdmins 404 settings-off',
    'listUsers 200',
    'createUser 201',
    'getUser 200',
    'updateUser 200',
    'getUserAppSettings 404 settings-off',
    'updateUserAppSettings 404 settings-off',
    'replaceUserAppSettings 404 settings-off',
    'getUserFactors 200',
    'removeUserPasskey asks for a value',
    'removeUserTotp 204',
    'listUserFlags 200 empty',
    'setUserPassword 204',
    'unlinkUserProvider asks for a value',
    'grantRole 204',
    'revokeRole 204',
    'resetSecondFactors 204',
    'seeAsUser 200',
    'getUserSettings 404 settings-off',
    'updateUserSettings 404 settings-off',
    'replaceUserSettings 404 settings-off',
    'deleteUser 204',
    'listRoles 200',
    'createRole 201',
    'getRole 200',
    'updateRole 200',
    'grantPermission 204',
    'revokePermission 204',
    'deleteRole 204',
    'listPermissions 200',
    'createPermission 201',
    'getPermission 200',
    'updatePermission 200',
    'deletePermission 204'
  ])
  t.same(await execute(page, of('machine', 'services', 'keys')), [
    'getMachine 401 unauthenticated', // it takes an API key
    'getAppSettingsForMachine asks for a value',
    'updateAppSettingsForMachine asks for a value',
    'replaceAppSettingsForMachine asks for a value',
    'getSettingsForMachine asks for a value',
    'listServices 200 empty',
    'createService 201',
    'grantServiceRole 204',
    'revokeServiceRole 204',
    'listServiceKeys 200 empty',
    'createServiceKey 201',
    'getService 200',
    'updateService 200',
    'deleteService 204',
    'listApiKeys 200 empty', // that of the service is deleted with it
    'revokeApiKey asks for a value'
  ])
  t.same(await execute(page, of('sessions', 'activity', 'outbox', 'operations')), [
    'listSessions 200',
    'getSession 200',
    'revokeSession asks for a value',
    'revokeUserSessions asks for a value',
    'listActivity 200',
    'summariseActivity 200',
    'getActivity 200',
    'listOutbox 200',
    'retryMail asks for a value',
    'getAssertionKeys 200',
    'getMetrics 200',
    'getOverview 200',
    'getHealth 200',
    'getLiveness 200',
    'getOpenApi 200'
  ])
})

t.test('neither the content policy nor a script has reported anything', (t) => {
  t.same(problems, [])
  t.end()
})
