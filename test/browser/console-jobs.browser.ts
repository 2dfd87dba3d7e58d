import t from 'tap'
import { createRole } from '../../src/domain/access/roles.ts'
import { verifyEmail } from '../../src/domain/administration/users.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { anonymous, callerOf, operator, password, until } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { anAppFor } from '../support/second-factors.ts'
import { checkAccessibility } from './axe.ts'
import { hold } from './chromium.ts'
import { press, says, shows, startConsole } from './console-pages.ts'
import { keepPicture } from './grid.ts'
import { keyboardOf } from './keyboard.ts'

// Does the jobs for which people open the console, in as few clicks as a view promises.

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { db } = app
const { user: admin, call } = await anAdministrator()
const grace = await registerUser(app.context, anonymous, {
  email: 'grace.hopper@example.com',
  name: 'Grace Hopper',
  password
})
await verifyEmail(db, operator, { userId: grace.id })
for (const [key, name] of [
  ['billing', 'Billing'],
  ['support', 'Support']
] as const) {
  await createRole(db, operator, { key, name, permissions: ['users:read'] })
  await call('PUT', `/api/admin/users/${grace.id}/roles/${key}`)
}
await createFlag(db, operator, {
  key: 'new-checkout',
  ...onOrOff,
  rules: [
    { when: { rolesAny: ['admin'] }, serve: { variant: 'on' } },
    { when: { users: ['somebody-else'] }, serve: { variant: 'on' } }
  ]
})
const { cookie } = await callerOf(app, grace)
const page = await visitAs(admin, '/console')
const { press: type, write, isAt } = keyboardOf(page)
const palette = 'dialog.search'

const isSearching = () => page.locator(`${palette} input:focus`).waitFor()
async function openSearch() {
  await type('Control+k')
  await isSearching()
}

/** Clicks these one after the other, from the first page of the console on. */
async function job(...clicks: [text: string, within?: string][]) {
  await page.goto(`${base}/console`)
  await page.getByRole('button', { name: 'Search' }).click()
  await isSearching()
  await write('hopper')
  await type('Enter')
  await shows(page, grace.name, 'h1')
  for (const each of clicks) await press(page, ...each)
  return clicks.length + 1
}

t.test('a person is found with one click and typing', async (t) => {
  t.equal(await job(), 1)
  await shows(page, 'grace.hopper@example.com', '.head')
  for (const chip of ['Active', 'Address confirmed', 'No second factor']) {
    await shows(page, chip, '.head')
  }
})

t.test('why somebody does not get a flag takes three clicks', async (t) => {
  t.equal(await job(['Access'], ['Why?']), 3)
  await shows(page, 'No rule matched: the default variant.', 'dialog')
  await shows(page, 'Did not match: On for users with the role Administrator', 'dialog')
  await checkAccessibility(t, page, 'why')
  await keepPicture(page, 'console-why')
})

t.test('a person gets a flag with three clicks from their page', async (t) => {
  const userPath = `/console/users/${grace.id}`
  await page.goto(base + userPath)
  await shows(page, grace.name, 'h1')
  await press(page, 'Access')
  await press(page, 'Give a flag')
  await isAt('Flag')
  await write('new-checkout')
  await shows(page, 'on: true', 'dialog')
  await checkAccessibility(t, page, 'give a flag')
  await press(page, 'Give', 'dialog')
  await says(page, 'Grace Hopper gets “on” of new-checkout.')
  const row = page.locator('tr', { hasText: 'new-checkout' })
  await until(async () => (await row.innerText()).includes('Rule 1 matched.'))
  const rulesNow = async () => (await call('GET', '/api/admin/flags/new-checkout')).json().rules
  const [first, ...others] = await rulesNow()
  t.same(first, { when: { users: [grace.id] }, serve: { variant: 'on' } })
  await press(page, 'Undo')
  await says(page, 'new-checkout is as it was before.')
  t.same(await rulesNow(), others)
})

t.test('who gave a role takes two clicks', async (t) => {
  t.equal(await job(['Access']), 2)
  await shows(page, /Support support\s+Granted by admin@example\.com/, '[aria-label=Roles]')
})

t.test('signing out everywhere takes three clicks, and says how many sessions', async (t) => {
  const me = () => app.inject({ url: '/api/auth/me', headers: { cookie } })
  t.equal((await me()).statusCode, 200)
  t.equal(await job(['Sign out everywhere'], ['Sign out Grace Hopper', 'dialog']), 3)
  await shows(page, 'Grace Hopper is signed out everywhere. 1 session has ended.', '[role=status]')
  t.equal((await me()).statusCode, 401)
  // The focus is where it was.
  await page
    .locator(':focus')
    .and(page.getByText('Sign out everywhere', { exact: true }))
    .waitFor()
})

t.test('a lost second factor is removed with four clicks', async (t) => {
  await anAppFor(app, grace)
  const remove = ['Remove the authenticator app'] as [string]
  t.equal(await job(['Security'], remove, [remove[0], 'dialog']), 4)
  await says(page, 'Grace Hopper no longer has the authenticator app')
  await shows(page, 'The password alone is enough to sign in.')
  t.match((await call('GET', `/api/admin/users/${grace.id}`)).json(), { secondFactor: false })
})

t.test('Ctrl K opens the search, which arrow keys and Enter answer', async (t) => {
  await createFlag(db, operator, { key: 'health-check', ...onOrOff })
  await page.goto(`${base}/console/mail`)
  await shows(page, 'Mail', 'h1')
  await openSearch()
  const options = () => page.locator(`${palette} [role=option] .name`).allInnerTexts()
  await until(async () => (await options()).length > 0)
  t.match((await options())[0], 'Grace Hopper', 'what was opened last')
  await checkAccessibility(t, page, 'search')
  await keepPicture(page, 'console-search')
  await write('checkout')
  await until(async () => (await options()).join() === 'new-checkout')
  await type('Escape')
  await page.locator(palette).waitFor({ state: 'detached' })

  await openSearch()
  await write('health')
  await until(async () => (await options()).join() === 'Health,health-check')
  await type('ArrowDown')
  t.equal(
    await page.getAttribute(`${palette} input`, 'aria-activedescendant'),
    await page.getAttribute(`${palette} [aria-selected=true]`, 'id')
  )
  await type('Enter')
  await shows(page, 'health-check', 'h1')
  await openSearch()
  await write('nobody-is-called-this')
  await shows(page, 'Nothing is called “nobody-is-called-this”.', palette)
})

t.test('the search takes ids, network addresses and actions', async (t) => {
  await page.goto(`${base}/console/mail`)
  await shows(page, 'Mail', 'h1')
  const groups = () => page.locator(`${palette} .kind`).allInnerTexts()
  await openSearch()
  await write(grace.id)
  await until(async () => (await groups()).join() === 'People,Actions')
  await shows(page, grace.email, palette)
  await shows(page, `Activity in the session ${grace.id}`, palette)
  await type('Enter')
  await shows(page, grace.name, 'h1')
  await openSearch()
  await write('127.0.0.1')
  await shows(page, 'Activity from 127.0.0.1', palette)
  await type('Enter')
  await shows(page, 'Activity', 'h1')
  t.equal(new URL(page.url()).search, '?ip=127.0.0.1')
  await openSearch()
  await write('create flag')
  await shows(page, 'Create a flag', palette)
  await type('Enter')
  await shows(page, 'New flag', 'h1')
})

t.test('what an arrow key has chosen opens, also while people are still looked for', async (t) => {
  await page.goto(`${base}/console/mail`)
  await shows(page, 'Mail', 'h1')
  const release = await hold(page, '**/api/admin/users?*')
  await openSearch()
  await write('health')
  const options = page.locator(`${palette} [role=option] .name`)
  await until(async () => (await options.allInnerTexts()).join() === 'Health,health-check')
  await type('ArrowDown')
  await type('Enter')
  t.equal(await page.locator(palette).count(), 1, 'somebody may still be found')
  release()
  await shows(page, 'health-check', 'h1')
})

t.test('a flag reaches 20 % of German users with seven clicks', async (t) => {
  await createFlag(db, operator, {
    key: 'roll-out',
    ...onOrOff,
    rules: [{ when: {}, serve: { variant: 'off' } }]
  })
  let clicks = 0
  const click = async (...target: [text: string, within?: string]) => {
    clicks += 1
    await press(page, ...target)
  }
  await page.goto(`${base}/console`)
  clicks += 1
  await page.getByRole('button', { name: 'Search' }).click()
  await isSearching()
  await write('roll-out')
  await type('Enter')
  await shows(page, 'Off for everybody.', '.sentence')
  await click('Add a rule')
  await shows(page, 'This rule never matches: rule 1 above it is for everybody.', '.rule-cards')
  await click('Add an attribute')
  await isAt('Name')
  await write('country')
  await type('Tab')
  await type('Tab')
  await write('DE')
  // Opening it, and choosing.
  clicks += 2
  await page.getByLabel('Serve').first().selectOption('A split by percentage')
  clicks += 1
  await page.getByLabel('Percent', { exact: true }).first().fill('20')
  const sentence = 'On for 20 % of users in DE; off for everybody else.'
  await shows(page, `Once saved: ${sentence}`, '.sentence')
  await shows(page, /Not saved: rule 1 added: on for 20 % and off for 80 % of users in DE/, '.bar')
  await click('Save')
  await says(page, 'roll-out is saved: rule 1 added')
  t.equal(await page.textContent('.sentence'), sentence)
  t.equal(clicks, 7)

  await page.goto(`${base}/console/users/${grace.id}/access`)
  await page.locator('tr', { hasText: 'roll-out' }).getByText('Why?').click()
  await page.getByRole('dialog').getByRole('link', { name: 'roll-out' }).click()
  await until(async () => (await page.inputValue('[name=user]')) === grace.email)
})
