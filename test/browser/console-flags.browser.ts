import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import t from 'tap'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { onOrOff } from '../support/flags.ts'
import { aRole, aUser, callerOf, operator, until } from '../support/app.ts'
import { checkAccessibility } from './axe.ts'
import { offers, startConsole } from './console-pages.ts'

const { app, base, anAdministrator, visitByKeyboard } = await startConsole(t)
const admin = await anAdministrator()
const flagOf = async (key: string) => (await admin.call('GET', `/api/admin/flags/${key}`)).json()

t.test('a flag with three rules is created, changed and tried by keyboard alone', async (t) => {
  const role = await aRole(app.database)
  const { page, press, isAt, reach, write, fill, choose, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags'
  )
  const mice = await page.evaluateHandle(() => {
    const seen: string[] = []
    for (const type of ['mousedown', 'pointerdown']) {
      addEventListener(type, () => seen.push(type), true)
    }
    return seen
  })
  /** Bars that stay in sight cover parts of the page, wherever one has scrolled to. */
  const letGo = () =>
    page.locator('.bar, .side').evaluateAll((all: HTMLElement[]) => {
      for (const { style } of all) style.position = 'static'
    })
  await shows('There are no flags')
  await checkAccessibility(t, page, 'flags')

  await activate('Create a flag')
  await shows('New flag')
  await fill('Key', 'new-checkout')
  await fill('Description', 'The new checkout')
  await activate('Add a rule')
  await isAt('Roles')
  await write(role)
  await choose('Serve', 'on')
  await activate('Add a rule')
  await activate('Add an attribute')
  await isAt('Name')
  await write('country')
  await choose('Condition', 'is one of')
  await fill('Values', 'DE\nAT')
  await choose('Serve', 'on')
  await activate('Add a rule')
  await choose('Serve', 'A split by percentage')
  await fill('Percent', '30')
  await press('Tab')
  for (let percent = 30; percent > 25; percent -= 1) await press('ArrowLeft')
  await shows('on for 25 % of everybody else; off for the rest.')
  await fill('Percent', 'many')
  await activate('Create')
  await shows('Enter a number from 0 to 100')
  await letGo()
  await checkAccessibility(t, page, 'new flag')
  await reach('Rule 3, shares', { back: true })
  await press('Enter')
  await isAt('Percent')
  await write('75')
  await shows('0 % left')
  await activate('Create')
  await page.waitForURL('**/console/flags/new-checkout')
  await shows('Use it') // not while the portal is busy: it would refuse the next call
  t.equal(await page.locator('main form').count(), 1, 'a flag is read first, and can be tried')
  t.same(await page.locator('[aria-labelledby=rules] li').allInnerTexts(), [
    'On for users with the role A role',
    'On for users in DE or AT',
    'On for 25 % and off for 75 % of everybody'
  ])
  t.match(await page.innerText('[aria-label=Variants]'), 'by rule 1, 2, 3')
  t.match(await page.innerText('.head'), 'The new checkout')
  await checkAccessibility(t, page, 'flag to read')
  const on = { variant: 'on' }
  const country = { name: 'country', op: 'in', values: ['DE', 'AT'] }
  const split = [
    { variant: 'on', weight: 25_000 },
    { variant: 'off', weight: 75_000 }
  ]
  const rules = [
    { when: { rolesAny: [role] }, serve: on },
    { when: { attributes: [country] }, serve: on },
    { when: {}, serve: { split } }
  ]
  t.match(await flagOf('new-checkout'), { description: 'The new checkout', rules })
  await shows(/Version 1\s+Created/)

  await activate('Edit')
  await isAt('Done')
  await activate('Up rule 2')
  await shows('This is rule 1 of 3 now.')
  await isAt('Up rule 1')
  await press('Enter')
  await activate('Down rule 2')
  await isAt('Down rule 3')
  await press('Enter')
  await activate('Save')
  await shows('Everything is saved.')
  const moved = [rules[1], rules[2], rules[0]]
  t.same((await flagOf('new-checkout')).rules, moved)
  await shows('Changed: order of rules 1 to 3')

  await choose('Caller', 'A visitor who is not signed in')
  await fill('Targeting key', 'visitor-7')
  await activate('Try')
  const body = { key: 'new-checkout', context: { targetingKey: 'visitor-7' }, sample: 1000 }
  const trial = (await admin.call('POST', '/api/admin/flags/evaluate', body)).json()
  t.match(trial, { rule: 1, reason: 'SPLIT', variant: 'off' })
  await shows(`${trial.bucket / 1000} %`)
  const result = await page.textContent('.result')
  t.match(result, 'The split of a rule decided. (SPLIT)')
  t.match(result, 'is not public')
  for (const { variant, count } of trial.shares) t.match(result, `${variant}${count}`)
  t.equal(await page.textContent('.decides h3'), 'Rule 2 Decides')
  t.match(await page.textContent('.decides .row:nth-of-type(2) mark'), `${trial.bucket / 1000} %`)
  await offers(page, 'portal flag try new-checkout --targeting-key visitor-7 --sample 1000')
  await letGo()
  await checkAccessibility(t, page, 'flag')

  await reach('Percent', { back: true })
  await write('5')
  await reach('Percent', { back: true })
  await write('95')
  await shows('0 % left')
  await shows('The flag has changed since it was tried.')
  t.equal(await page.locator('.decides').count(), 0)
  await activate('More about the call')
  await fill('Attributes', 'country=FR')
  await activate('Try')
  await shows('as written here')
  await until(async () => /Varianton/.test((await page.textContent('.result')) ?? ''))
  t.equal(await page.textContent('.decides h3'), 'Rule 2 Decides')
  await choose('Caller', 'A user')
  await fill('Name or e-mail address', 'admin@')
  await fill('Scope', 'no scope')
  await activate('More about the call')
  await activate('Try')
  await page.getByLabel('Scope', { exact: true }).and(page.locator(':focus')).waitFor() // is unfolded
  await page.getByLabel('Scope', { exact: true }).fill('')
  await activate('Try')
  await until(async () => (await page.textContent('.result'))?.includes(admin.user.email))
  const grace = await aUser(app.database, 'grace@example.com')
  await fill('Name or e-mail address', 'Lovelace')
  await activate('Try')
  await shows('Several users match')
  await fill('Name or e-mail address', grace.email)
  await activate('Try')
  await until(async () => (await page.textContent('.result'))?.includes(grace.email))
  t.same((await flagOf('new-checkout')).rules, moved, 'nothing was saved')
  t.same(await mice.jsonValue(), [])
})

t.test('without the permission to change flags, a flag can be read and tried', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'read-only' })
  const role = await aRole(app.database, 'flags:read')
  const reader = await callerOf(app, await aUser(app.database), role)
  const { page, choose, activate, shows } = await visitByKeyboard(
    reader.user,
    '/console/flags/read-only'
  )
  await shows('Use it')
  await page.goto(`${base}/console/flags/read-only/edit`)
  await shows('Use it')
  t.notMatch(await page.textContent('main'), /Save|Delete|Edit|Add a rule/)
  await choose('Caller', 'A visitor who is not signed in')
  await activate('Try')
  await shows('The flag has no rules. (STATIC)')
  await checkAccessibility(t, page, 'flag, read-only')
})

t.test('a flag as large as the limits stays text, and can be edited', async (t) => {
  const markup = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'
  const text = (n: number) => `${markup}${n}`.padEnd(1000, 'x')
  const variants = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`v${n}`, text(n)]))
  const rules = Array.from({ length: 50 }, (_, n) => ({
    when: {
      users: [`${markup}${n}`],
      attributes: [{ name: markup, op: 'in' as const, values: [String(n), n, true, ' a b', '"'] }]
    },
    serve: {
      split: [
        { variant: 'v1', weight: 33_333 },
        { variant: `v${n % 15}`, weight: 66_667 }
      ]
    }
  }))
  await createFlag(app.db, operator, {
    key: 'large',
    type: 'string',
    description: markup,
    ...{ variants, rules, defaultVariant: 'v0', offVariant: 'v14' }
  })
  const { page, fill, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/large/edit'
  )
  await shows('Rule 50')
  t.match(await page.inputValue('#description'), markup)
  t.equal(await page.locator('main img, main script').count(), 0)
  await fill('Description', 'Changed')
  await fill('Value', 'short')
  await activate('Save')
  await shows('Everything is saved.')
  t.match(await flagOf('large'), { description: 'Changed', variants: { ...variants, v0: 'short' } })
  t.same((await flagOf('large')).rules, rules, 'rules are read and written without a loss')
  await checkAccessibility(t, page, 'large flag')
  await activate('Add a rule')
  await activate('Save')
  await shows('At most 50')
})

t.test('the list shows what flags serve, and switches them', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'listed', defaultVariant: 'on' })
  const { page, activate } = await visitByKeyboard(admin.user, '/console/flags')
  const row = async () => {
    const rows = await page.locator('tbody tr', { hasText: 'listed' }).allInnerTexts()
    return rows[0]?.replace(/\s+/g, ' ') ?? ''
  }
  await until(async () => /Enabled on/.test(await row()))
  await activate('Disable listed')
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.focus() // which keeps it in sight
  await until(async () => /Disabled off/.test(await row()))
  t.equal((await flagOf('listed')).state, 'disabled')
  await checkAccessibility(t, page, 'flags')
  await undo.press('Enter')
  await until(async () => /Enabled on/.test(await row()))
  t.equal((await flagOf('listed')).state, 'enabled')
})

t.test('a flag shows the lines that ask for it, and they work as they are', async (t) => {
  const flag = { ...onOrOff, key: 'used', public: true, defaultVariant: 'on' }
  await admin.call('POST', '/api/admin/flags', flag)
  const { page, activate, shows } = await visitByKeyboard(admin.user, '/console/flags/used')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await shows('useFlag("used", false)')
  await checkAccessibility(t, page, 'lines that use a flag')
  await activate('Copy the line for Node')
  await shows('The line for Node is in the clipboard.')
  const line = await page.evaluate(() => navigator.clipboard.readText())
  t.match(line, 'getBooleanValue("used", false, ')
  await OpenFeature.setProviderAndWait('lines', new OFREPProvider({ baseUrl: base }))
  t.teardown(() => OpenFeature.clearProviders())
  const script = `export const read = async (flags, user) => ${line}`
  const { read } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
    read(flags: unknown, user: unknown): Promise<unknown>
  }
  t.equal(await read(OpenFeature.getClient('lines'), admin.user), true)
})

t.test('the head of a flag switches it, also below unsaved changes', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'switched' })
  const { page, fill, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/switched/edit'
  )
  await shows('Off for everybody.')
  await fill('Description', 'Typed before')
  await page.getByRole('button', { name: 'Disable switched' }).focus()
  await page.keyboard.press('Enter')
  await shows('The flag switched is disabled.')
  await shows('Not saved: description.')
  await activate('Save')
  await shows('Everything is saved.')
  t.match(await flagOf('switched'), { state: 'disabled', description: 'Typed before' })
  await page.locator('label', { hasText: 'Public' }).locator('input').check()
  await activate('Save')
  await page.locator('.summary .chip', { hasText: 'Public' }).waitFor()
  await activate('Delete')
  await shows('disable it instead')
  await checkAccessibility(t, page, 'delete a flag')
})
