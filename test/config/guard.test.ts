import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { createRegistrationRules, guardProblems } from '../../src/config/guard.ts'
import { temporaryFolder } from '../support/app.ts'

const never = (error: Error) => {
  throw error
}
const rulesOf = (settings: object, clock = () => 0, onError: (error: Error) => void = never) =>
  createRegistrationRules({ REGISTRATION_DOMAINS: '', ...settings }, onError, clock)

t.test('only listed domains register, and a star stands for subdomains', async (t) => {
  const { refuses } = rulesOf({ REGISTRATION_DOMAINS: 'acme.com, *.Example.org' })
  t.notOk(refuses('ada@acme.com'))
  t.notOk(refuses('ada@a.b.example.org'))
  for (const email of ['ada@x.acme.com', 'ada@example.org', 'ada@notacme.com', 'ada@acme.com.de']) {
    t.ok(refuses(email), email)
  }
  t.notOk(rulesOf({}).refuses('ada@anything.example'), 'without a list, all do')
})

t.test('a listed domain may be spelled as people do', async (t) => {
  const { refuses } = rulesOf({ REGISTRATION_DOMAINS: 'MÜLL.example,*.bücher.example' })
  t.notOk(refuses('ada@xn--mll-hoa.example'))
  t.notOk(refuses('ada@x.xn--bcher-kva.example'))
  t.ok(refuses('ada@xn--bcher-kva.example'))
})

t.test('a blocked domain is blocked with its subdomains, also if it is listed', async (t) => {
  const file = path.join(temporaryFolder(t), 'blocked')
  writeFileSync(file, '# disposable\n\nmailinator.com\r\nMÜLL.example # spelled as people do\n')
  const { refuses } = rulesOf({ REGISTRATION_BLOCKED: file })
  t.ok(refuses('ada@mailinator.com'))
  t.ok(refuses('ada@x.mailinator.com'))
  t.ok(refuses('ada@xn--mll-hoa.example'))
  t.notOk(refuses('ada@notmailinator.com'))
})

t.test('a changed file is read again after a minute, and kept if it has a mistake', async (t) => {
  const file = path.join(temporaryFolder(t), 'networks')
  writeFileSync(file, '192.0.2.0/24\n')
  let now = 0
  const errors: string[] = []
  const { isSuspect } = rulesOf(
    { REGISTRATION_NETWORKS: file },
    () => now,
    ({ message }) => errors.push(message)
  )
  const write = (text: string) => {
    writeFileSync(file, text)
    utimesSync(file, new Date(), new Date(Date.now() + now + 10_000))
  }
  t.same(['192.0.2.1', '198.51.100.1', undefined].map(isSuspect), [true, false, false])
  write('198.51.100.1\n')
  t.ok(isSuspect('192.0.2.1'), 'not before a minute')
  now += 60_000
  t.same(['192.0.2.1', '198.51.100.1'].map(isSuspect), [false, true])
  write('198.51.100.1\nsomewhere\n')
  now += 60_000
  t.ok(isSuspect('198.51.100.1'))
  t.same(errors, ['does not have an address or a CIDR range in line 2'])
})

t.test('mistakes are named with their line', async (t) => {
  const file = path.join(temporaryFolder(t), 'blocked')
  writeFileSync(file, 'acme.com\nnot a domain\n')
  const problems = (settings: object) => [
    ...guardProblems({ REGISTRATION_DOMAINS: '', ...settings })
  ]
  t.same(problems({ REGISTRATION_DOMAINS: 'acme.com,*.de' }), [
    ['REGISTRATION_DOMAINS', 'must be domains such as acme.com and *.acme.com']
  ])
  t.same(problems({ REGISTRATION_BLOCKED: file }), [
    ['REGISTRATION_BLOCKED', 'names a file that does not have a domain in line 2']
  ])
  t.same(problems({ REGISTRATION_NETWORKS: `${file}-not` }), [
    ['REGISTRATION_NETWORKS', 'names a file that cannot be read']
  ])
  t.same(problems({ REGISTRATION_DOMAINS: 'acme.com' }), [])
})
