import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import t from 'tap'
import type { Test } from 'tap'
import { senderFinding } from '../../src/commands/mail.ts'
import { script } from '../mail/script.ts'
import { startMailServer } from '../mail/server.ts'
import type { MailServer } from '../mail/server.ts'
import { freePort } from '../support/postgres.ts'
import { startDnsServer } from './dns-server.ts'
import { runner } from './run.ts'

const server = await startMailServer(t)
const env = {
  DATABASE_URL: 'postgres://127.0.0.1:1/portal', // which these commands do not need
  PUBLIC_ORIGIN: 'https://portal.example.com',
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  ACCOUNT_URL: 'https://portal.example.com/account',
  MAIL_FROM: 'Example <portal@example.invalid>',
  PRODUCT_NAME: 'Kontor'
}
const withMail = (MAIL_URL: string) => runner({ ...env, MAIL_URL })
const toAda = 'mail test --to ada@example.org'

/** Lets the server refuse at a stage while the test runs. */
function refuse(t: Test, server: MailServer, at: string, code: number) {
  server.play = (stage) => (stage === at ? code : undefined)
  t.teardown(() => {
    server.play = () => undefined
  })
}

t.test('a test mail is sent at once, and the answers of the server are printed', async (t) => {
  const { ok, json } = withMail(server.url)
  const { stdout, stderr } = await ok(t, toAda)
  const lines = stdout.trimEnd().split('\n')
  t.equal(lines[0], `Connection established to 127.0.0.1:${server.port}`)
  t.match(lines[1], /^220 /)
  t.ok(lines.includes('Connection upgraded with STARTTLS'))
  t.ok(lines.some((line) => line.startsWith('235 ')))
  t.match(lines.at(-1), /^250 /)
  const login = Buffer.from('\0portal\0secret').toString('base64')
  for (const secret of ['secret', login]) t.notOk((stdout + stderr).includes(secret), secret)
  t.match(stderr, 'The mail server accepted the mail.')
  t.match(server.mails, [
    {
      to: ['ada@example.org'],
      secure: true,
      user: 'portal',
      mail: { subject: 'Test mail from Kontor', messageId: /@portal\.example\.com>$/ }
    }
  ])
  const data = json(await ok(t, `${toAda} --json`))
  t.match(data, { sent: true, answers: [/^Connection/, /^220 /] })
  t.equal(server.mails.length, 2)
})

t.test('a test mail that fails says why and what to do', async (t) => {
  const wrong = withMail(server.url.replace('secret', 'wrong'))
  const failed = await wrong.run(toAda)
  t.equal(failed.code, 1)
  t.match(failed.stdout, /^535 Wrong password$/m)
  t.match(failed.stderr, /^The mail was not sent: auth\. .*535 Wrong password\nCheck user and pass/)
  t.match(JSON.parse((await wrong.run(`${toAda} --json`)).stderr), {
    error: { code: 'mail-not-sent', message: /^The mail was not sent: auth/ }
  })
  const away = await withMail(`smtp://127.0.0.1:${await freePort()}`).run(toAda)
  t.match(away, { code: 1, stderr: /not sent: connect\. .*ECONNREFUSED.*\nCheck host and port/ })
  const tls = await withMail(server.url.replace('smtp:', 'smtps:')).run(toAda)
  t.match(tls, { code: 1, stderr: /not sent: tls\. .*\nWith smtp:\/\/ the server/ })
  refuse(t, server, 'rcpt', 550)
  const refused = await withMail(server.url).run(toAda)
  t.match(refused, { code: 1, stderr: /not sent: smtp 550\. .*550 as the test wants it\n/ })
})

t.test('a test mail needs an address and a mail server', async (t) => {
  t.match(await runner(env).run(toAda), { code: 2, stderr: /^There is no mail server\. Set MAIL_/ })
  t.match(await withMail(server.url).run('mail test --to ada'), {
    code: 2,
    stderr: /Must be an e-mail address/
  })
  t.match(await withMail(server.url).run('mail test'), { code: 2, stderr: /--to <address>/ })
})

t.test('an answer cannot control the terminal', async (t) => {
  const { url } = await script(t, { '': '554 \u001b]0;title\u0007 go away' })
  const { stdout, stderr } = await withMail(url).run(toAda)
  t.match(stdout, '554 �]0;title� go away')
  t.notMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f]/) // eslint-disable-line no-control-regex
})

t.test('doctor connects to the mail server and signs in, without sending anything', async (t) => {
  const findings = async ({ run, json }: ReturnType<typeof runner>) =>
    new Map<string, object>(
      json(await run('doctor --json')).map((each: { check: string }) => [each.check, each])
    )
  const before = server.mails.length
  const found = await findings(withMail(server.url))
  t.match(found.get('mail server'), {
    result: 'ok',
    finding: `127.0.0.1:${server.port}, on this machine, accepts the login`
  })
  t.match(found.get('mail sender'), { result: /^(?:ok|warning)$/, finding: /^example\.invalid / })
  t.match((await findings(withMail(server.url.replace('secret', 'wrong')))).get('mail server'), {
    result: 'problem',
    finding: /: auth\. .*535 Wrong password$/,
    todo: /user and password in MAIL_URL/
  })
  const [, port] = /:(\d+)$/.exec(server.url) ?? []
  const anonymous = await findings(withMail(`smtp://localhost:${port}`))
  t.match(anonymous.get('mail server'), { finding: /, needs no login$/ })
  t.equal(server.mails.length, before)
  const without = await findings(runner(env))
  t.notOk(without.has('mail server') || without.has('mail sender'))
  t.match(without.get('configuration'), { result: 'ok' })
})

t.test('doctor says whether the domain of the sender accepts mail', async (t) => {
  const resolver = new Resolver()
  resolver.setServers([
    await startDnsServer(t, {
      'mx.example.com': { mx: ['mail.example.net'] },
      'a.example.com': { a: ['192.0.2.1'] },
      'none.example.com': {},
      'unknown.example.com': { code: 3 },
      'null.example.com': { mx: [''] },
      'broken.example.com': { code: 2 }
    })
  ])
  for (const [name, result, finding] of [
    ['mx', 'ok', 'accepts mail at mail.example.net'],
    ['a', 'ok', 'has no MX record, but has an address record'],
    ['none', 'warning', 'has neither an MX record nor an address record'],
    ['unknown', 'warning', 'has neither an MX record nor an address record'],
    ['broken', 'warning', 'could not be looked up: the DNS server does not answer (ESERVFAIL)']
  ] as const) {
    const domain = `${name}.example.com`
    t.match(await senderFinding(domain, resolver), { result, finding: `${domain} ${finding}` })
  }
  t.match(await senderFinding('null.example.com', resolver), {
    result: 'warning',
    finding: 'the MX record of null.example.com says that it accepts no mail'
  })
  const impatient = new Resolver({ timeout: 100, tries: 1 })
  impatient.setServers(resolver.getServers())
  t.match(await senderFinding('silent.example.com', impatient), {
    result: 'warning',
    finding: 'silent.example.com could not be looked up: the DNS server does not answer (ETIMEOUT)'
  })
  resolver.setServers([`127.0.0.1:${await freePort()}`])
  t.match(await senderFinding('mx.example.com', resolver), {
    finding: /could not be looked up.*\(E(?:CONNREFUSED|TIMEOUT)\)/
  })
})
