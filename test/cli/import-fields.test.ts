import { spawnSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'
import { convert } from '../../src/commands/import-convert.ts'
import type { System } from '../../src/commands/import-convert.ts'
import { sources } from '../../src/commands/import-sources.ts'
import { built } from '../support/root.ts'

const email = 'ada@example.com'

t.test('a boolean or a time counts in every form in which databases write it', async (t) => {
  const options = { firebase: undefined, accept: () => undefined }
  const read = (source: string, user: object) => {
    const system = sources[source]
    const found = system && convert(system, user, options)
    return found === undefined || typeof found === 'string' ? {} : found.line
  }
  const bit = 'base64:type16:'
  for (const not of [false, 'false', 'False', 'f', 0, '0', null, `${bit}AA==`, '\0']) {
    t.match(read('auth0', { email, email_verified: not }), { emailVerified: false })
    t.match(read('keycloak', { email, enabled: not }), { status: 'deactivated' })
    t.notOk('status' in read('firebase', { email, disabled: not }), `not ${not}`)
  }
  for (const yes of [true, 'true', 'True', 't', 1, '1', 'YES', `${bit}AQ==`, '\u0001']) {
    t.match(read('auth0', { email, email_verified: yes }), { emailVerified: true })
    t.match(read('firebase', { email, disabled: yes }), { status: 'deactivated' })
    t.match(read('logto', { primary_email: email, is_suspended: yes }), { status: 'deactivated' })
    t.match(read('better-auth', { email, banned: yes }), { status: 'deactivated' })
  }
  t.notOk('status' in read('keycloak', { email }), 'what is missing decides nothing')
  for (const unclear of ['maybe', {}, 2, []]) {
    t.throws(() => read('firebase', { email, disabled: unclear }), {
      errors: [{ pointer: '/status', code: 'wrong-type' }]
    })
  }
  const at = (created: unknown) => read('supabase', { email, created_at: created }).createdAt
  for (const [written, stored] of [
    ['2024-05-01 10:00:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00:00.25', '2024-05-01T10:00:00.250Z'],
    ['2024-05-01 10:00:00.123456+00', '2024-05-01T10:00:00.123Z'],
    ['2024-05-01 10:00:00 UTC', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01 10:00:00-0730', '2024-05-01T17:30:00.000Z'],
    ['2024-05-01T10:00:00+02:00', '2024-05-01T08:00:00.000Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    [1_714_557_600, '2024-05-01T10:00:00.000Z'],
    ['1714557600000', '2024-05-01T10:00:00.000Z'],
    [1_714_557_600.5, '2024-05-01T10:00:00.500Z'],
    ['0000-00-00 00:00:00', undefined]
  ]) {
    t.equal(at(written), stored, String(written))
  }
  for (const unclear of [
    'yesterday',
    '01.05.2024',
    '2024-13-01',
    '2024-02-30',
    { $date: 1 },
    [1]
  ]) {
    t.throws(() => at(unclear), { errors: [{ pointer: '/createdAt', code: 'malformed' }] })
  }
})

t.test('of two spellings of a field, the first that says something counts', async (t) => {
  const options = { firebase: undefined, accept: () => undefined }
  const read = (user: object) => {
    const found = sources['better-auth'] && convert(sources['better-auth'], user, options)
    return found === undefined || typeof found === 'string' ? {} : found.line
  }
  t.match(read({ email, emailVerified: false, email_verified: true }), { emailVerified: false })
  t.match(read({ email, emailVerified: '', email_verified: true }), { emailVerified: true })
})

t.test('a time without a zone is in UTC, whatever the zone of this machine is', async (t) => {
  const file = path.join(built, 'src/commands/import-fields.js')
  const code = `import { timeOf } from ${JSON.stringify(file)}
    console.log(timeOf('2024-05-01T10:00:00').toISOString())`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    env: { TZ: 'America/New_York' },
    encoding: 'utf8'
  })
  t.equal(run.stdout, '2024-05-01T10:00:00.000Z\n', run.stderr)
})

t.test('an address is confirmed by itself, and not by a longer one that contains it', async (t) => {
  const options = { firebase: undefined, accept: () => undefined }
  const clerk = (verified: string) =>
    convert(
      sources.clerk as System,
      { primary_email_address: 'Ann@example.com', verified_email_addresses: verified },
      options
    )
  t.match(clerk('joann@example.com'), {
    line: { emailVerified: false },
    leftOut: ['other e-mail addresses']
  })
  t.match(clerk('joann@example.com, ann@example.com'), { line: { emailVerified: true } })
  t.match(clerk('ann@example.com'), { line: { emailVerified: true }, leftOut: [] })
})
