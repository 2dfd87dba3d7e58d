import t from 'tap'
import { aCaller, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')
const flag = { type: 'boolean', variants: { on: true }, defaultVariant: 'on', offVariant: 'on' }
/** One character as entered, three in NFC as stored. */
const expanding = '\u{1d160}'
/** Two characters as entered, one in NFC. */
const composing = 'e\u0301'

for (const [what, url, key, more] of [
  ['role', '/api/admin/roles', 'described', { name: 'Described' }],
  ['permission', '/api/admin/permissions', 'described:read', {}],
  ['flag', '/api/admin/flags', 'described', flag]
] as const) {
  t.test(`the length of the description of a ${what} is checked after normalization`, async (t) => {
    const create = (description: string) => call('POST', url, { ...more, key, description })
    const change = (description: string) => call('PATCH', `${url}/${key}`, { description })
    const refused = {
      code: 'invalid-request',
      errors: [{ pointer: '/description', code: 'too-long', message: 'At most 300 characters' }]
    }
    for (const tooLong of [expanding.repeat(101), composing.repeat(301), 'x'.repeat(301)]) {
      t.match((await create(tooLong)).json(), refused)
    }
    t.equal((await create(composing.repeat(300))).statusCode, 201)
    for (const tooLong of [expanding.repeat(101), composing.repeat(301), 'x'.repeat(301)]) {
      t.match((await change(tooLong)).json(), refused)
    }
    t.equal((await call('GET', `${url}/${key}`)).json().description, '\u00e9'.repeat(300))
    t.equal((await change(expanding.repeat(100))).statusCode, 200)
    t.equal([...(await call('GET', `${url}/${key}`)).json().description].length, 300)
  })
}

t.test('another Unicode form of the same description is not a change', async (t) => {
  for (const [url, more] of [
    ['/api/admin/roles', { key: 'same', name: 'Same' }],
    ['/api/admin/flags', { ...flag, key: 'same' }]
  ] as const) {
    const made = await call('POST', url, { ...more, description: composing })
    t.equal(
      (await call('PATCH', `${url}/same`, { description: composing })).headers.etag,
      made.headers.etag
    )
  }
})
