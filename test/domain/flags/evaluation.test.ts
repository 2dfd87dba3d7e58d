// Not on PGlite: it uses no database.

import t from 'tap'
import type { FlagRow, FlagValue, Rule } from '../../../db/schema/flags.ts'
import type { Context } from '../../../src/domain/flags/conditions.ts'
import {
  bucketOf,
  contextAt,
  evaluate,
  evaluateAll,
  murmur3
} from '../../../src/domain/flags/evaluation.ts'

const flag = (changes: Partial<FlagRow> = {}): FlagRow => ({
  key: 'flag',
  description: '',
  type: 'boolean',
  state: 'enabled',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  rules: [],
  public: true,
  permanent: false,
  version: 1,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...changes
})
const nobody: Context = contextAt(
  { roles: [], signedIn: false, attributes: {} },
  { segments: new Map(), now: 0 }
)
const resultOf = (changes: Partial<FlagRow>, context: Partial<Context> = {}) =>
  evaluate(new Map([['flag', flag(changes)]]), 'flag', { ...nobody, ...context })
const of = (...given: Parameters<typeof resultOf>) => {
  const found = resultOf(...given)
  if (!found) throw new Error('a targeting key is missing')
  return found
}
/** A split by percentage, for everybody, between on and off. */
const share = (weight: number): Rule[] => [
  {
    when: {},
    serve: {
      split: [
        { variant: 'on', weight },
        { variant: 'off', weight: 100_000 - weight }
      ]
    }
  }
]
const serveOn = (when: Rule['when']): Rule[] => [{ when, serve: { variant: 'on' } }]

t.test('the hash matches the published vectors of murmur3 x86 32', async (t) => {
  const vectors: [string, number, number][] = [
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['\0\0\0\0', 0, 0x2362f9de],
    ['aaaa', 0x9747b28c, 0x5a97808a],
    ['aaa', 0x9747b28c, 0x283e0130],
    ['aa', 0x9747b28c, 0x5d211726],
    ['a', 0x9747b28c, 0x7fa09ea6],
    ['abcd', 0x9747b28c, 0xf0478627],
    ['abc', 0x9747b28c, 0xc84a62dd],
    ['ab', 0x9747b28c, 0x74875592],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['ππππππππ', 0x9747b28c, 0xd58063c1],
    ['a'.repeat(256), 0x9747b28c, 0x37405bdc],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
    ['hello', 0, 0x248bfa47]
  ]
  for (const [text, seed, expected] of vectors) {
    t.equal(murmur3(text, seed), expected, `"${text.slice(0, 20)}" ${seed}`)
  }
  t.equal(bucketOf('hel', 'lo'), Math.floor((0x248bfa47 * 100_000) / 2 ** 32))
})

t.test(
  'raising a share from 10 % to 20 % keeps everyone in it, and shares have their nominal size',
  async (t) => {
    const [small, large] = [flag({ rules: share(10_000) }), flag({ rules: share(20_000) })]
    const uuidOf = (n: number) => `0199b0a2-7c1e-7d3a-8f52-${String(n).padStart(12, '0')}`
    const keys = Array.from({ length: 20_000 }, (_, n) => (n % 2 ? uuidOf(n) : `user-${n}`))
    const isOn = (flag: FlagRow, targetingKey: string) =>
      evaluate(new Map([['flag', flag]]), 'flag', { ...nobody, targetingKey })?.value === true
    let [inSmall, inLarge, movedOut] = [0, 0, 0]
    for (const key of keys) {
      const [before, after] = [isOn(small, key), isOn(large, key)]
      inSmall += Number(before)
      inLarge += Number(after)
      movedOut += Number(before && !after)
    }
    t.equal(movedOut, 0)
    t.ok(Math.abs(inSmall / keys.length - 0.1) < 0.01, `${inSmall}`)
    t.ok(Math.abs(inLarge / keys.length - 0.2) < 0.01, `${inLarge}`)
  }
)

t.test('the splits of two flags are independent', async (t) => {
  const both = Array.from({ length: 20_000 }, (_, n) => `user-${n}`).filter(
    (key) => bucketOf('one', key) < 50_000 && bucketOf('two', key) < 50_000
  )
  t.ok(Math.abs(both.length / 20_000 - 0.25) < 0.02, `${both.length}`)
})

t.test('each kind of decision has its reason', async (t) => {
  t.same(of({}), { key: 'flag', value: false, variant: 'off', reason: 'STATIC' })
  t.same(of({ state: 'disabled', offVariant: 'on', rules: serveOn({}) }), {
    key: 'flag',
    value: true,
    variant: 'on',
    reason: 'DISABLED'
  })
  t.same(of({ rules: serveOn({}) }), {
    key: 'flag',
    value: true,
    variant: 'on',
    reason: 'TARGETING_MATCH'
  })
  t.same(of({ rules: serveOn({ users: ['ada'] }) }), {
    key: 'flag',
    value: false,
    variant: 'off',
    reason: 'DEFAULT'
  })
  t.match(
    of(
      { rules: [{ when: {}, serve: { split: [{ variant: 'on', weight: 100_000 }] } }] },
      { targetingKey: 'ada' }
    ),
    { value: true, reason: 'SPLIT' }
  )
  t.match(of({ rules: share(0) }, { targetingKey: 'ada' }), { value: false, reason: 'SPLIT' })
})

t.test('the first rule that matches decides', async (t) => {
  const rules: Rule[] = [
    { when: { users: ['ada'] }, serve: { variant: 'off' } },
    { when: {}, serve: { variant: 'on' } }
  ]
  t.equal(of({ rules }, { targetingKey: 'ada' }).value, false)
  t.equal(of({ rules }, { targetingKey: 'bob' }).value, true)
})

t.test(
  'a split needs a targeting key, and without one other flags are still evaluated',
  async (t) => {
    const rules: Rule[] = [{ when: {}, serve: { split: [{ variant: 'on', weight: 100_000 }] } }]
    t.equal(resultOf({ rules }), undefined)
    const { flags } = evaluateAll(
      new Map([
        ['a', flag({ key: 'a', rules })],
        ['b', flag({ key: 'b' })]
      ]),
      nobody
    )
    t.match(flags, [
      { key: 'a', errorCode: 'TARGETING_KEY_MISSING' },
      { key: 'b', value: false }
    ])
  }
)

t.test('flags that are not public do not exist for callers without a session', async (t) => {
  t.throws(() => of({ public: false }), { code: 'flag-not-found' })
  t.throws(() => evaluate(new Map(), 'flag', nobody), { code: 'flag-not-found' })
  t.equal(of({ public: false }, { signedIn: true }).value, false)
  const flags = new Map([
    ['open', flag({ key: 'open' })],
    ['secret', flag({ key: 'secret', public: false })]
  ])
  t.same(
    evaluateAll(flags, nobody).flags.map(({ key }) => key),
    ['open']
  )
  t.same(
    evaluateAll(flags, { ...nobody, signedIn: true }).flags.map(({ key }) => key),
    ['open', 'secret']
  )
})

const conditions: [op: string, values: FlagValue[], given: unknown, holds: boolean][] = [
  ['in', ['DE', 'FR'], 'FR', true],
  ['in', ['DE'], 'de', false],
  ['in', [1], '1', false],
  ['in', [true], true, true],
  ['in', ['x'], undefined, false],
  ['notIn', ['DE'], 'FR', true],
  ['notIn', ['DE'], 'DE', false],
  ['notIn', ['DE'], undefined, true],
  ['in', ['beta'], ['beta', 'x'], true],
  ['in', ['beta'], ['x'], false],
  ['in', ['beta'], [], false],
  ['in', ['beta'], [['beta']], false],
  ['notIn', ['beta'], ['beta', 'x'], false],
  ['notIn', ['beta'], ['x'], true],
  ['notIn', ['beta'], [], true],
  ['contains', ['et'], ['x', 'beta'], true],
  ['gt', [5], [4, 6], true],
  ['gt', [5], [4], false],
  ['in', ['Zoe\u0308'], 'Zo\u00eb', true],
  ['notIn', ['Zo\u00eb'], 'Zoe\u0308', false],
  ['startsWith', ['\u00c5'], 'A\u030angstr\u00f6m', true],
  ['startsWith', ['Zoe'], 'Zoe\u0308', false],
  ['startsWith', ['a', 'b'], 'beta', true],
  ['startsWith', ['a'], 'beta', false],
  ['startsWith', ['1'], 12, false],
  ['endsWith', ['@example.com'], 'ada@example.com', true],
  ['endsWith', ['.com'], 'com', false],
  ['contains', ['et'], 'beta', true],
  ['contains', ['z'], 'beta', false],
  ['lt', [5], 4, true],
  ['lt', [5], 5, false],
  ['lte', [5], 5, true],
  ['lte', [5], 5.1, false],
  ['gt', [5], 6, true],
  ['gt', [5], 5, false],
  ['gte', [5], 5, true],
  ['gte', [5], '6', false],
  ['gte', [5], undefined, false],
  ['gte', ['2.10.0'], '2.9.9', false],
  ['gte', ['2.10.0'], '2.10', true],
  ['gte', ['2.10.0'], 'v10.0.0+build.7', true],
  ['gte', ['2.10.0'], '2.10.0-rc.1', false],
  ['lt', ['1.0.0-rc.10'], '1.0.0-rc.9', true],
  ['lt', ['1.0.0-beta'], '1.0.0-9', true],
  ['gt', ['1.0.0-a'], '1.0.0-a.1', true],
  ['lte', ['1.0.0'], '1.0.0+other', true],
  ['gte', ['2.10.0'], 3, false],
  ['gte', ['2.10.0'], 'three', false],
  ['lt', ['2.10.0'], '2026-01-31', false],
  ['gte', [5], '2.10.0', false],
  ['lt', ['2026-02-01'], '2026-01-31', true],
  ['lt', ['2026-02-01'], '2026-02-01T00:30:00+01:00', true],
  ['gte', ['2026-02-01'], '2026-02-01T00:00:00Z', true],
  ['lt', ['2026-03-02'], '2026-02-30', false],
  ['lt', ['2026-02-01'], '2026-01-31T10:00:00', false],
  ['gt', ['2026-02-01T12:00:00.5Z'], '2026-02-01T12:00:00.6Z', true]
]
for (const [op, values, given, holds] of conditions) {
  t.test(`${JSON.stringify(given)} ${op} ${JSON.stringify(values)} is ${holds}`, async (t) => {
    const rules = serveOn({ attributes: [{ name: 'x', op, values } as never] })
    t.equal(of({ rules }, { attributes: given === undefined ? {} : { x: given } }).value, holds)
  })
}

t.test(
  'all conditions of a rule must hold, and any one of its roles or users is enough',
  async (t) => {
    const rules = serveOn({
      rolesAny: ['beta', 'staff'],
      users: ['ada', 'bob'],
      attributes: [
        { name: 'x', op: 'in', values: [1] },
        { name: 'y', op: 'in', values: [2] }
      ]
    })
    const good: Partial<Context> = {
      roles: ['staff'],
      targetingKey: 'bob',
      attributes: { x: 1, y: 2 }
    }
    t.equal(of({ rules }, good).value, true)
    for (const bad of [
      { roles: ['user'] },
      { targetingKey: 'eve' },
      { targetingKey: undefined },
      { attributes: { x: 1 } }
    ]) {
      t.equal(of({ rules }, { ...good, ...bad }).value, false)
    }
  }
)

t.test('inherited properties of objects are not attributes', async (t) => {
  t.equal(
    of({ rules: serveOn({ attributes: [{ name: 'constructor', op: 'notIn', values: ['x'] }] }) })
      .value,
    true
  )
  t.equal(
    of({ rules: serveOn({ attributes: [{ name: '__proto__', op: 'contains', values: [''] }] }) })
      .value,
    false
  )
})
