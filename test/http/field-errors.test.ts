import t from 'tap'
import { aCaller, freshEmail, password, testApp } from '../support/app.ts'

const app = await testApp(t)
const { call: admin } = await aCaller(app, 'admin')
const { call } = await aCaller(app)
const register = (payload: object) =>
  app.inject({ method: 'POST', url: '/api/auth/register', payload })

interface Answer {
  statusCode: number
  json(): { errors: { pointer: string; code: string; message: string }[] }
}
const found = (response: Answer) => {
  if (response.statusCode !== 400) throw new Error(`status ${response.statusCode}`)
  return response
    .json()
    .errors.map(({ pointer, code }) => `${pointer} ${code}`)
    .sort()
}
const aFlag = {
  key: 'a-flag',
  type: 'boolean',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off'
}

t.test('a registration with three mistakes is rejected with all three', async (t) => {
  t.same(found(await register({ email: 'x', password: 'a', name: '' })), [
    '/email invalid-email',
    '/name too-short',
    '/password too-short'
  ])
  t.same(found(await register({ email: 'ada@', password: 'password', name: ' ' })), [
    '/email invalid-email',
    '/name too-short',
    '/password too-guessable'
  ])
  t.same(found(await register({ email: freshEmail(), password, name: 'x'.repeat(81) })), [
    '/name too-long'
  ])
})

t.test('the message about a text that is far too long names the limit of the field', async (t) => {
  const message = async (response: Promise<Answer>) =>
    (await response).json().errors.map((each) => each.message)
  const name = 'x'.repeat(257)
  t.same(await message(register({ email: freshEmail(), password, name })), [
    'At most 80 characters'
  ])
  const long = { email: freshEmail(), password: 'x'.repeat(513), name: 'Ada' }
  t.same(await message(register(long)), ['At most 128 characters'])
})

t.test('a malformed body is rejected with every wrong property', async (t) => {
  t.same(found(await register({ email: 5, name: 'Ada', more: true, most: true })), [
    ' unknown-property',
    '/email wrong-type',
    '/password required'
  ])
  t.same(found(await register({})), ['/email required', '/name required', '/password required'])
  t.same(
    found(
      await call('PATCH', '/api/user/profile', {
        bio: 5,
        location: 'x'.repeat(81),
        website: '\u202e'
      })
    ),
    ['/bio wrong-type', '/location too-long', '/website invalid-characters']
  )
})

t.test('a new user with several mistakes is rejected with all of them', async (t) => {
  const user = { email: 'x', password: 'a', name: ' ', profile: { locale: '?', timeZone: '?' } }
  const wrong = [
    '/email invalid-email',
    '/name too-short',
    '/profile/locale invalid-locale',
    '/profile/timeZone invalid-time-zone'
  ]
  t.same(
    found(await admin('POST', '/api/admin/users', user)),
    [...wrong.slice(0, 2), '/password too-short', ...wrong.slice(2)].sort()
  )
  const { id } = (await register({ email: freshEmail(), password, name: 'Ada' })).json().user
  const { password: _, ...changes } = user
  t.same(found(await admin('PATCH', `/api/admin/users/${id}`, changes)), wrong)
})

t.test('a flag with three mistakes is rejected with all three', async (t) => {
  t.same(
    found(
      await admin('POST', '/api/admin/flags', {
        ...aFlag,
        key: 'Not A Key',
        state: 'on',
        public: 'yes'
      })
    ),
    ['/key malformed', '/public wrong-type', '/state not-allowed']
  )
  t.same(
    found(
      await admin('POST', '/api/admin/flags', {
        ...aFlag,
        variants: { on: 1, off: false },
        defaultVariant: 'x',
        offVariant: 'y'
      })
    ),
    ['/defaultVariant unknown-variant', '/offVariant unknown-variant', '/variants/on wrong-type']
  )
})

t.test('a query with several mistakes is rejected with all of them', async (t) => {
  t.same(found(await call('GET', '/api/user/activity?limit=x&sort=y&more=1')), [
    '/query unknown-property',
    '/query/limit wrong-type',
    '/query/sort not-allowed'
  ])
})

t.test('an invalid variant name is not repeated, and its value is not examined', async (t) => {
  const response = await admin('POST', '/api/admin/flags', {
    ...aFlag,
    variants: { on: true, 'canary canary': [], [`${'canary'.repeat(100)}`]: null }
  })
  t.same(found(response), ['/variants malformed'])
  t.notMatch(response.body, 'canary')
})

t.test('at most a hundred mistakes are listed, each once', async (t) => {
  const permissions = Array.from({ length: 900 }, () => 1)
  const response = await admin('POST', '/api/admin/roles', {
    key: 'a-role',
    name: 'A role',
    permissions
  })
  t.equal(found(response).length, 100)
  t.equal(new Set(found(response)).size, 100)
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x${n}`, n]))
  t.same(found(await call('PATCH', '/api/user/profile', unknown)), [' unknown-property'])
  const roles = Array.from({ length: 30 }, () => ({
    when: {},
    serve: {
      split: [
        { variant: 'x', weight: 1 },
        { variant: 'y', weight: 1 },
        { variant: 'z', weight: 1 }
      ]
    }
  }))
  t.equal(found(await admin('POST', '/api/admin/flags', { ...aFlag, rules: roles })).length, 100)
})

t.test('a refusal explains itself to people', async (t) => {
  const { title, detail } = (await register({})).json()
  t.same(
    [title, detail],
    ['The request is not valid', 'Some of the input is not valid. Correct it and try again.']
  )
})
