import t from 'tap'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aRole, aUser, callerOf, operator, password, until } from '../helpers.ts'
import { checkAccessibility, takeScreenshot } from './axe.ts'
import { keyboardOf } from './keyboard.ts'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)
const admin = await callerOf(app, await aUser(app.database, 'admin@example.com'), 'admin')

/** A tab in which the administrator has signed in with the keyboard. */
async function visit(path: string, user = admin.user) {
  const page = await open('/console/not-found')
  const keyboard = keyboardOf(page)
  await page.command('Network.clearBrowserCookies')
  await page.go(base + path)
  await until(() => page.evaluate("document.querySelector('[name=email]') !== null"))
  await keyboard.fill('E-mail address', user.email)
  await keyboard.fill('Password', password)
  await keyboard.press('Enter')
  await until(() => page.evaluate("document.querySelector('header') !== null"))
  return { page, ...keyboard }
}
/** On or off, without rules. */
const simple = {
  type: 'boolean',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off'
}
const flagOf = async (key: string) => (await admin.call('GET', `/api/admin/flags/${key}`)).json()

t.test('a flag with three rules is created, changed and tried by keyboard alone', async (t) => {
  const role = await aRole(app.database)
  const { page, press, isAt, reach, write, fill, choose, activate, shows } =
    await visit('/console/flags')
  await page.evaluate(
    "mice = 0; for (const type of ['mousedown', 'pointerdown']) " +
      'addEventListener(type, () => mice++, true)'
  )
  await shows('There are no flags.')
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
  await activate('Add a condition')
  await isAt('Name')
  await write('country')
  await choose('Condition', 'is one of')
  await fill('Values', 'DE\nAT')
  await choose('Serve', 'on')
  await activate('Add a rule')
  await choose('Serve', 'A split by percentage')
  await fill('Percent', '25')
  await fill('Percent', '74')
  await shows('1 % left')
  await activate('Create')
  await shows('The shares must add up to 100 %, not to 99 %.')
  await checkAccessibility(t, page, 'new flag')
  await reach('Rule 3, serve', { back: true })
  await press('Enter')
  await isAt('Serve')
  await reach('Percent')
  await fill('Percent', '75')
  await shows('0 % left')
  await activate('Create')
  await until(() => page.evaluate("location.pathname === '/console/flags/new-checkout'"))
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
  await shows('flag.create')

  await activate('Up rule 2')
  await shows('This is rule 1 of 3 now.')
  await isAt('Up rule 1')
  await press('Enter')
  await activate('Down rule 2')
  await isAt('Down rule 3')
  await press('Enter')
  await activate('Save')
  await shows('Saved.')
  const moved = [rules[1], rules[2], rules[0]]
  t.same((await flagOf('new-checkout')).rules, moved)
  await shows('rules')

  await choose('Caller', 'A visitor who is not signed in')
  await fill('Targeting key', 'visitor-7')
  await activate('Try')
  const body = { key: 'new-checkout', context: { targetingKey: 'visitor-7' }, sample: 1000 }
  const trial = (await admin.call('POST', '/api/admin/flags/evaluate', body)).json()
  t.match(trial, { rule: 1, reason: 'SPLIT', variant: 'off' })
  await shows(`${trial.bucket / 1000} %`)
  const result = await page.read('.result')
  t.match(result, 'The split of a rule decided. (SPLIT)')
  t.match(result, 'is not public')
  for (const { variant, count } of trial.shares) t.match(result, `${variant}${count}`)
  t.equal(await page.read('.decides h3'), 'Rule 2 Decides')
  t.match(await page.read('.decides .row:nth-of-type(2) mark'), `${trial.bucket / 1000} %`)
  await shows(/portal flag try new-checkout --targeting-key visitor-7 --sample 1000/)
  await checkAccessibility(t, page, 'flag')
  await takeScreenshot(page, 'console-flag')

  await reach('Percent', { back: true })
  await write('5')
  await reach('Percent', { back: true })
  await write('95')
  await shows('0 % left')
  await shows('The flag has changed since it was tried.')
  t.equal(await page.evaluate("document.querySelector('.decides')"), null)
  await fill('Attributes', 'country=FR')
  await activate('Try')
  await shows('Unsaved changes count')
  await until(async () => /Varianton/.test((await page.read('.result')) ?? ''))
  t.equal(await page.read('.decides h3'), 'Rule 2 Decides')
  await choose('Caller', 'A user')
  await fill('Name or e-mail address', 'admin@')
  await activate('Try')
  await until(async () => (await page.read('.result'))?.includes(admin.user.email))
  const grace = await aUser(app.database, 'grace@example.com')
  await fill('Name or e-mail address', 'Lovelace')
  await activate('Try')
  await shows('Several users match')
  await choose('Several users match', `Ada Lovelace (${grace.email})`)
  await activate('Try')
  await until(async () => (await page.read('.result'))?.includes(grace.email))
  t.same((await flagOf('new-checkout')).rules, moved, 'nothing was saved')
  t.equal(await page.evaluate('mice'), 0)
})

t.test('two tabs: both versions are offered, and both changes can be kept', async (t) => {
  const create = { ...simple, key: 'two-tabs', description: 'At first' }
  t.equal((await admin.call('POST', '/api/admin/flags', create)).statusCode, 201)
  const { page, fill, activate, shows } = await visit(
    '/console/flags/two-tabs?user=ada@example.com'
  )
  await shows('Flag two-tabs')
  await until(() =>
    page.evaluate("document.querySelector('[name=user]')?.value === 'ada@example.com'")
  )
  const change = (body: object) => admin.call('PATCH', '/api/admin/flags/two-tabs', body)
  await fill('Description', 'Mine')
  await change({ description: 'Theirs <b>', defaultVariant: 'on' })
  await activate('Save')
  await shows('The flag was changed in the meantime')
  const both = await page.read('dialog')
  t.match(both, /Saved versionTheirs <b>Your versionMine/)
  t.match(both, /Default variant.*Saved versiononYour versionoff/)
  await checkAccessibility(t, page, 'conflict')
  await takeScreenshot(page, 'console-flag-conflict')
  await activate('Put my changes on top')
  t.match(await flagOf('two-tabs'), { description: 'Theirs <b>' }, 'not saved yet')
  await activate('Save')
  await shows('Saved.')
  t.match(await flagOf('two-tabs'), { description: 'Mine', defaultVariant: 'on' })

  await fill('Description', 'Mine again')
  await change({ description: 'Theirs again' })
  await activate('Save')
  await shows('The flag was changed in the meantime')
  await activate('Use the saved version')
  await until(() =>
    page.evaluate("document.getElementById('description').value === 'Theirs again'")
  )
  t.equal((await flagOf('two-tabs')).description, 'Theirs again')
})

t.test('unsaved changes outlive the session and the view, and leaving asks first', async (t) => {
  const other = await callerOf(app, await aUser(app.database), 'admin')
  await other.call('POST', '/api/admin/flags', { ...simple, key: 'kept' })
  const { page, fill, activate, press, shows } = await visit('/console/flags/kept', other.user)
  await shows('Flag kept')
  const asks = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
  t.equal(await page.evaluate(asks), false)
  await fill('Description', 'Typed for minutes')
  t.equal(await page.evaluate(asks), true)

  await other.call('DELETE', '/api/user/sessions')
  await activate('Save')
  await shows('Your session has ended')
  await fill('E-mail address', other.user.email)
  await fill('Password', password)
  await press('Enter')
  await until(() => page.evaluate("document.querySelector('dialog') === null"))
  await page.evaluate(
    "[...document.querySelectorAll('header a')].find((a) => a.innerText === 'Flags').click()"
  )
  await shows('kept (unsaved changes)')
  await activate('kept')
  await until(() =>
    page.evaluate("document.getElementById('description')?.value === 'Typed for minutes'")
  )
  await activate('Save')
  await shows('Saved.')
  t.equal(await page.evaluate(asks), false)
  t.equal((await flagOf('kept')).description, 'Typed for minutes')
})

t.test(
  'refusals of the portal are shown where the mistake is, and the JSON can be edited',
  async (t) => {
    await admin.call('POST', '/api/admin/flags', { ...simple, key: 'refused' })
    const { page, write, press, isAt, reach, fill, activate, shows } =
      await visit('/console/flags/refused')
    await shows('Flag refused')
    await activate('Add a rule')
    await write('admin, nobody-has-this')
    await activate('Save')
    await shows(/nobody-has-this: .*role/)
    await reach('Rule 1, roles', { back: true })
    await press('Enter')
    await isAt('Roles')
    t.equal(await page.evaluate('document.activeElement.ariaInvalid'), 'true')
    await write('admin')
    t.equal(await page.evaluate('document.activeElement.ariaInvalid'), null)

    await activate('JSON')
    const json = 'document.getElementById("json").value'
    const flag = JSON.parse(await page.evaluate(json))
    t.match(flag, { key: 'refused', rules: [{ when: { rolesAny: ['admin'] } }] })
    await fill('The flag as JSON', JSON.stringify({ ...flag, defaultVariant: 'missing' }))
    await activate('Save')
    await shows('Apply the JSON or discard it.')
    await reach('Apply the JSON', { back: true })
    await press('Enter')
    await shows('/defaultVariant: There is no variant')
    await reach('The flag as JSON', { back: true })
    await write('{ "key": ')
    await activate('Apply the JSON')
    await shows(/JSON: .*JSON/)
    await reach('The flag as JSON', { back: true })
    await write(JSON.stringify({ ...flag, description: 'From JSON', rules: [] }))
    await activate('Apply the JSON')
    await until(() => page.evaluate("document.getElementById('description').value === 'From JSON'"))
    await activate('Save')
    await shows('Saved.')
    t.match(await flagOf('refused'), { description: 'From JSON', rules: [] })
  }
)

t.test('a flag of objects is created; values, names and keys are checked', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...simple, key: 'taken' })
  const { page, fill, choose, activate, reach, write, press, isAt, shows } =
    await visit('/console/new-flag')
  await shows('New flag')
  await fill('Key', 'taken')
  await choose('Type', 'object')
  await fill('Name', 'small')
  await fill('Value', '{ "limit": ')
  await fill('Name', 'small')
  await activate('Create')
  await shows('Variants: Two variants are called small.')
  await shows(/Variant small: Give an object in JSON/)
  await reach('Variant small', { back: true })
  await press('Enter')
  await isAt('Value')
  await write('{ "limit": 10 }')
  await fill('Name', 'large')
  await activate('Create')
  await shows('A feature flag with this key already exists')
  await reach('Key', { back: true })
  await write('limits')
  await activate('Create')
  await shows('Flag limits')
  t.equal(await page.evaluate('location.pathname'), '/console/flags/limits')
  const variants = { small: { limit: 10 }, large: {} }
  t.match(await flagOf('limits'), { type: 'object', variants, defaultVariant: 'large' })
})

t.test('without the permission to change flags, a flag can be read and tried', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...simple, key: 'read-only' })
  const role = await aRole(app.database, 'flags:read')
  const reader = await callerOf(app, await aUser(app.database), role)
  const { page, choose, activate, shows } = await visit('/console/flags/read-only', reader.user)
  await shows('you need the permission flags:update')
  t.equal(await page.evaluate("document.getElementById('description').matches(':disabled')"), true)
  t.notMatch(await page.read('main'), /Save|Delete/)
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
  const { page, fill, activate, shows } = await visit('/console/flags/large')
  await shows('Rule 50')
  t.match(await page.evaluate("document.getElementById('description').value"), markup)
  t.equal(await page.evaluate("document.querySelector('main img, main script')"), null)
  await fill('Description', 'Changed')
  await fill('Value', 'short')
  await activate('Save')
  await shows('Saved.')
  t.match(await flagOf('large'), { description: 'Changed', variants: { ...variants, v0: 'short' } })
  t.same((await flagOf('large')).rules, rules, 'rules are read and written without a loss')
  await checkAccessibility(t, page, 'large flag')
  await activate('Add a rule')
  await activate('Save')
  await shows('At most 50')
})

t.test('the list shows what flags serve, switches them and deletes them', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...simple, key: 'listed', defaultVariant: 'on' })
  const { page, activate, shows } = await visit('/console/flags')
  const row = () =>
    page.evaluate<string>(
      "[...document.querySelectorAll('tbody tr')].find((tr) => /listed/.test(tr.innerText))" +
        "?.innerText.replace(/\\s+/g, ' ') ?? ''"
    )
  await until(async () => /enabled on/.test(await row()))
  await activate('Disable listed')
  await until(async () => /disabled off/.test(await row()))
  t.equal((await flagOf('listed')).state, 'disabled')
  await checkAccessibility(t, page, 'flags')
  await takeScreenshot(page, 'console-flags')
  await activate('Delete listed')
  await shows('disable it instead')
  await checkAccessibility(t, page, 'delete a flag')
  await activate(/^Delete$/)
  await until(async () => (await row()) === '')
  t.equal((await flagOf('listed')).code, 'flag-not-found')
})
