import t from 'tap'
import type { AppDefinition } from '../../src/base/definition.ts'
import { faultsOf } from '../../src/base/faults.ts'

const texts = { en: { subject: 'Shipped', text: 'It is shipped.' } }
const mail = (changes: object, params: string[] = []) => ({
  mails: { shipped: { params, texts: { en: { ...texts.en, ...changes } } } }
})
const action = (details: Record<string, string>) => ({
  actions: { 'order.ship': { when: 'x', details } }
})
const problem = (changes: object) => ({
  problems: { late: { status: 409, title: 'Late', detail: 'It is late.', ...changes } }
})

/** A definition with one mistake, and what is said about it. */
const wrong: [object, RegExp][] = [
  [{ actions: { ship: { when: 'x' } } }, /^actions: ship must be like order\.ship/],
  [{ actions: { 'auth.login': { when: 'x' } } }, /auth\.login is one of the portal\. Choose/],
  [
    action({ 'a b': 'string' }),
    /actions: a b of details of order\.ship must be at most 40 letters and digits/
  ],
  [action({ email: 'string' }), /actions: email of details of order\.ship is one of the portal/],
  [
    action({ carrier: 'text' }),
    /carrier of details of order\.ship must be one of string, number, boolean/
  ],
  [
    {
      actions: {
        'a.b': { when: 'x', details: { n: 'string' } },
        'a.c': { when: 'x', details: { n: 'number' } }
      }
    },
    /the detail n is a number in a\.c, and a string elsewhere/
  ],
  [{ permissions: { [`${'o'.repeat(80)}:read`]: 'See' } }, /must be like orders:read, .* 80 char/],
  [{ permissions: { 'orders:read': 'See\0' } }, /orders:read must be .* without control char/],
  [{ actions: { 'order.ship': { when: 'x'.repeat(301) } } }, /when of order\.ship must be .* 300/],
  [{ targets: ['Order'] }, /targets: Order must be at most 40 characters, in lowercase/],
  [{ targets: ['user'] }, /targets: user is one of the portal/],
  [{ mails: { recovery: { texts } } }, /mails: recovery is one of the portal/],
  [{ mails: { 'Order Shipped': { texts } } }, /mails: Order Shipped must be .*in lowercase/],
  [{ mails: { shipped: { texts: { de: texts.en } } } }, /shipped has no text in English/],
  [mail({}, ['Number']), /Number of params of shipped must be lowercase/],
  [mail({}, ['name']), /name of params of shipped/],
  [mail({ text: 'For {number}' }), /shipped in en has \{number\}, which is not in params/],
  [
    mail({ button: { label: 'Open', url: 'javascript:alert(1)' } }),
    /url of button of en of texts of shipped must be a text that begins/
  ],
  [
    mail({ button: { label: 'Open', url: '//evil.example' } }),
    /url of button of en of texts of shipped must be a text that begins/
  ],
  [{ problems: { 'hook-failed': problem({}).problems.late } }, /hook-failed is one of the portal/],
  [problem({ status: 200 }), /status of late must be a number from 400 to 599/],
  [problem({ detail: 'x'.repeat(501) }), /detail of late must be a text of at most 500 characters/],
  [
    { limits: { 'login-pair': { burst: 1, seconds: 1 } } },
    /limits: login-pair is one of the portal/
  ],
  [
    { limits: { orders: { burst: 0, seconds: 1 } } },
    /limits: burst of orders must be a number of at least 1/
  ]
]

t.test('each mistake in the words of an app is named', async (t) => {
  for (const [definition, message] of wrong) {
    const faults = faultsOf(definition)
    t.match(
      faults.map(({ text }) => text),
      [message],
      String(message)
    )
    t.equal(faults.length, 1)
  }
})

t.test('all mistakes are named at once, and words that are right have none', async (t) => {
  t.equal(faultsOf({ ...mail({ subject: '{a}' }), targets: ['A', 'B'] }).length, 3)
  const button = { label: 'Open {number}', url: 'https://shop.example/{number}' }
  t.same(
    faultsOf({
      ...mail({ text: 'Dear {name} of {product}', button }, ['number']),
      ...action({ carrier: 'string', stops: 'string[]' }),
      ...problem({}),
      targets: ['order'],
      limits: { orders: { burst: 5, seconds: 0.5 } }
    } as AppDefinition),
    []
  )
})
