import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { flags } from '../../db/schema/flags.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { runner } from './run.ts'

const url = await testDatabaseUrl(t)
const { run, ok, json } = runner({ DATABASE_URL: url, BCRYPT_COST: '10' })

t.test('the history of a flag is listed, compared and restored', async (t) => {
  await ok(t, 'flag create new-checkout --description Pay')
  await ok(t, 'flag disable new-checkout')
  const { stdout } = await ok(t, 'flag history new-checkout')
  const [head, newest, oldest] = stdout.split('\n')
  t.match(head, /^VERSION +AT +BY +CHANGE +FIELDS$/)
  t.match(newest, /^2 .+ update +state$/)
  t.match(oldest, /^1 .+ create +-$/)
  t.match(json(await ok(t, 'flag history new-checkout --json')), [
    { version: 2, actorType: 'cli', definition: { description: 'Pay', state: 'disabled' } },
    { version: 1, definition: { state: 'enabled' } }
  ])
  const changed = /^- {3}"state": "enabled",\n\+ {3}"state": "disabled",$/m
  for (const args of ['', ' 1', ' 1 2']) {
    t.match((await ok(t, `flag diff new-checkout${args}`)).stdout, changed, args)
  }
  t.match((await ok(t, 'flag diff new-checkout 2 1')).stdout, /^\+ {3}"state": "enabled",$/m)
  t.match((await ok(t, 'flag diff new-checkout 2')).stderr, /no difference/)
  t.match(json(await ok(t, 'flag diff new-checkout --json')), {
    from: { version: 1 },
    to: { version: 2 }
  })

  t.match(json(await ok(t, 'flag restore new-checkout 1 --json')), {
    key: 'new-checkout',
    state: 'enabled'
  })
  await ok(t, 'flag delete new-checkout --yes')
  t.match((await ok(t, 'flag list --deleted')).stdout, /^flag +new-checkout +\S+ +\S+/m)
  t.match((await ok(t, 'flag diff new-checkout')).stdout, /^- {3}"description": "Pay",$/m)
  t.match(json(await ok(t, 'flag restore new-checkout --json')), { description: 'Pay' })
  t.equal((await ok(t, 'flag list --deleted')).stdout, '')
})

t.test('times of rules are listed in their order, and tried', async (t) => {
  const definition = (key: string, from: string, until: string) =>
    JSON.stringify({
      ...{ key, type: 'boolean', variants: { on: true, off: false } },
      ...{ defaultVariant: 'off', offVariant: 'off' },
      rules: [{ when: { from, until }, serve: { variant: 'on' } }]
    })
  const input = definition('at-eight', '2126-12-01T08:00:00+01:00', '2126-12-24T23:00:00.5Z')
  await ok(t, 'flag create --file -', { input })
  await ok(t, 'flag create --file -', {
    input: definition('earlier', '2020-01-01T00:00:00Z', '2126-11-01T00:00:00Z')
  })
  t.equal(
    (await ok(t, 'flag schedule')).stdout,
    [
      '2126-11-01T00:00:00Z  earlier  rule 1 ends: on',
      '2126-12-01T07:00:00Z  at-eight  rule 1 begins: on',
      '2126-12-24T23:00:00.500Z  at-eight  rule 1 ends: on\n'
    ].join('\n')
  )
  t.match(json(await ok(t, 'flag schedule at-eight --json')), [{ rule: 0, change: 'begins' }, {}])
  await ok(t, 'flag disable earlier')
  t.match((await ok(t, 'flag schedule earlier')).stderr, /none/)
  t.equal((await run('flag schedule nothing')).code, 3)

  t.match(json(await ok(t, 'flag try at-eight --json')), {
    value: false,
    nextChange: '2126-12-01T07:00:00.000Z'
  })
  t.match(json(await ok(t, 'flag try at-eight --json --at 2126-12-01T08:00:00+01:00')), {
    ...{ value: true, at: '2126-12-01T07:00:00.000Z', nextChange: '2126-12-24T23:00:00.500Z' }
  })
  t.match(await run('flag try at-eight --at monday'), { code: 2, stderr: /context\/at/ })
})

t.test('what a history cannot say is reported with what to do', async (t) => {
  await ok(t, 'flag create other')
  for (const [args, code, message] of [
    ['flag restore other', 2, /Specify a version: portal flag history KEY/],
    ['flag restore other 7', 3, /portal flag history KEY/],
    ['flag restore other 0', 2, /whole number/],
    ['flag diff other 7', 3, /portal flag history KEY/],
    ['flag diff other 4294967296', 2, /whole number/],
    ['flag history nothing', 3, /portal flag list/],
    ['flag list --deleted --sort createdAt', 2, /sorted by key/]
  ] as const) {
    t.match(await run(args), { code, stderr: message }, args)
  }
})

t.test('characters that control a terminal are not printed', async (t) => {
  const evil = 'a\u009b31mred\u202egnp.exe'
  await ok(t, 'flag create colourful')
  const { db, close } = await openDatabase(url)
  await db.update(flags).set({ description: evil })
  await close()
  await ok(t, 'flag disable colourful')
  const { stdout } = await ok(t, 'flag diff colourful 1')
  t.match(stdout, /^\+ {3}"description": "a.31mred.gnp\.exe",$/m)
  t.notMatch(stdout, /[\u009b\u202e]/)
})
