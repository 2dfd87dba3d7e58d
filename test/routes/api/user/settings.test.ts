// Also on PGlite.

import t from 'tap'
import { profileFieldNames, profileFields } from '../../../../db/schema/users.ts'
import { aCaller, activityOf, onPglite, testApp } from '../../../support/app.ts'
import { rejects } from '../../../support/scenarios.ts'

const app = await testApp(t)

t.test(
  'a new profile is empty, and a merge patch keeps omitted fields and clears null ones',
  async (t) => {
    const { call } = await aCaller(app)
    const empty = Object.fromEntries(profileFieldNames.map((field) => [field, null]))
    t.same((await call('GET', '/api/user/profile')).json(), empty)
    // The examples of the API document, so that each of them is a value as it is stored.
    const full = Object.fromEntries(
      Object.entries(profileFields).map(([field, { example }]) => [field, example])
    )
    t.same((await call('PATCH', '/api/user/profile', full)).json(), full)
    t.same((await call('PATCH', '/api/user/profile', { bio: null, location: 'Paris' })).json(), {
      ...full,
      bio: null,
      location: 'Paris'
    })
    t.same((await call('GET', '/api/user/profile')).json(), {
      ...full,
      bio: null,
      location: 'Paris'
    })
  }
)

t.test('URLs and language tags are stored in canonical form', async (t) => {
  const { call } = await aCaller(app)
  const changes = {
    locale: 'pt-br',
    website: 'https://EXAMPLE.com',
    timeZone: 'UTC',
    bio: '  a\u030A  '
  }
  t.match((await call('PATCH', '/api/user/profile', changes)).json(), {
    locale: 'pt-BR',
    website: 'https://example.com/',
    timeZone: 'UTC',
    bio: '\u00e5'
  })
})

t.test('a mistake in a profile is rejected by name, and changes nothing', async (t) => {
  const { call } = await aCaller(app)
  await rejects(t, call, 'PATCH /api/user/profile', [
    ['an empty patch', {}, ' empty'],
    ['a property that one may not set', { status: 'active' }, ' unknown-property'],
    ['a blank text', { bio: '   ' }, '/bio too-short'],
    ['a text that shows nothing', { location: '\u3164' }, '/location too-short'],
    ['a text over its length', { pronouns: 'x'.repeat(41) }, '/pronouns too-long'],
    ['a control character', { bio: 'a\nb' }, '/bio invalid-characters'],
    ['a number for a text', { bio: 7 }, '/bio wrong-type'],
    ['http', { website: 'http://example.com/' }, '/website invalid-url'],
    ['a script', { avatarUrl: 'javascript:alert(1)' }, '/avatarUrl invalid-url'],
    ['a password', { website: 'https://ada:x@example.com/' }, '/website invalid-url'],
    ['an invalid URL', { website: 'example' }, '/website invalid-url'],
    ['an unknown language', { locale: 'english language' }, '/locale invalid-locale'],
    ['an unknown zone', { timeZone: 'Europe/Atlantis' }, '/timeZone invalid-time-zone'],
    ['an offset for a zone', { timeZone: '+01:00' }, '/timeZone invalid-time-zone'],
    [
      'several mistakes',
      { locale: '!', timeZone: 'x', bio: ' ' },
      ['/bio too-short', '/locale invalid-locale', '/timeZone invalid-time-zone']
    ]
  ])
  const profile = (await call('GET', '/api/user/profile')).json()
  t.same([...new Set(Object.values(profile))], [null])
})

t.test('theme and name are set, and me returns them with the next request', async (t) => {
  const { call } = await aCaller(app)
  t.same((await call('PUT', '/api/user/theme', { theme: 'dark' })).json(), { theme: 'dark' })
  t.same((await call('PUT', '/api/user/name', { name: '  Ada King ' })).json(), {
    name: 'Ada King'
  })
  t.match((await call('GET', '/api/auth/me')).json().user, { theme: 'dark', name: 'Ada King' })
})

t.test('a theme or a name that is none is rejected by name', async (t) => {
  const { call } = await aCaller(app)
  await rejects(t, call, 'PUT /api/user/theme', [
    ['an unknown theme', { theme: 'pink' }, '/theme not-allowed'],
    ['no theme', {}, '/theme required']
  ])
  await rejects(t, call, 'PUT /api/user/name', [
    ['a blank name', { name: '  ' }, '/name too-short'],
    ['a long name', { name: 'x'.repeat(81) }, '/name too-long'],
    ['roles', { name: 'Ada', roles: ['admin'] }, ' unknown-property'],
    ['an id', { name: 'Ada', id: '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e' }, ' unknown-property']
  ])
})

t.test(
  'a change is recorded with its field names, and setting equal values is not a change',
  async (t) => {
    const { call, user } = await aCaller(app)
    const updates = async () =>
      (await activityOf(app.database, user.id)).filter((record) => record.action === 'user.update')
    await call('PATCH', '/api/user/profile', { bio: 'Not for the audit trail', locale: 'en' })
    await call('PUT', '/api/user/theme', { theme: 'dark' })
    const before = (await call('GET', '/api/auth/me')).json().user.updatedAt
    await call('PUT', '/api/user/theme', { theme: 'dark' })
    await call('PATCH', '/api/user/profile', { locale: 'EN' })
    t.match(await updates(), [
      { details: { fields: ['theme'] } },
      { details: { fields: ['bio', 'locale'] }, actorId: user.id, outcome: 'success' }
    ])
    t.equal((await updates()).length, 2)
    t.notMatch(JSON.stringify(await updates()), /audit trail/)
    t.equal((await call('GET', '/api/auth/me')).json().user.updatedAt, before)
  }
)

t.test('concurrent changes are not lost', async (t) => {
  const { call } = await aCaller(app)
  const count = onPglite ? 5 : 20
  const fields = ['bio', 'location', 'pronouns'] as const
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      call('PATCH', '/api/user/profile', { [fields[n % 3] ?? 'bio']: `value ${n}` })
    )
  )
  const profile = (await call('GET', '/api/user/profile')).json()
  for (const field of fields) t.match(profile[field], /^value \d+$/)
})
