import t from 'tap'
import {
  mailFromProblem,
  mailUrlProblem,
  parseMailFrom,
  parseMailUrl
} from '../../src/domain/mail/addresses.ts'

t.test('MAIL_URL requires encryption, except on loopback', async (t) => {
  const urls = {
    'smtp://mail.example.com': { host: 'mail.example.com', port: 587, tls: 'STARTTLS' },
    'smtp://mail.example.com:25/': { host: 'mail.example.com', port: 25, tls: 'STARTTLS' },
    'smtps://mail.example.com': { host: 'mail.example.com', port: 465, tls: 'from the start' },
    'smtps://localhost:4650': { host: 'localhost', port: 4650, tls: 'from the start' },
    'smtp://localhost:25': { host: 'localhost', port: 25, tls: 'optional' },
    'smtp://LOCALHOST': { host: 'localhost', port: 587, tls: 'optional' },
    'smtp://127.0.0.1:1025': { host: '127.0.0.1', port: 1025, tls: 'optional' },
    'smtp://[::1]:1025': { host: '::1', port: 1025, tls: 'optional' },
    'smtp://[2001:db8::1]': { host: '2001:db8::1', port: 587, tls: 'STARTTLS' },
    'smtp://localhost.example.com': { host: 'localhost.example.com', port: 587, tls: 'STARTTLS' },
    'smtp://127.0.0.1.example.com': { host: '127.0.0.1.example.com', port: 587, tls: 'STARTTLS' },
    'smtp://0.0.0.0': { host: '0.0.0.0', port: 587, tls: 'STARTTLS' },
    'smtp://ada%40example.com:p%3Ass%2Fw@mail.example.com': {
      host: 'mail.example.com',
      port: 587,
      tls: 'STARTTLS',
      login: { user: 'ada@example.com', pass: 'p:ss/w' }
    }
  }
  for (const [url, server] of Object.entries(urls)) {
    t.equal(mailUrlProblem(url), undefined, url)
    t.same(parseMailUrl(url), server, url)
  }
})

t.test('a MAIL_URL that means something else is rejected, without repeating it', async (t) => {
  for (const url of [
    '',
    'mail.example.com',
    'mail.example.com:25',
    'http://mail.example.com',
    'smtp:mail.example.com',
    'smtp://',
    'smtp://:25',
    'smtp://mail.example.com:0',
    'smtp://mail.example.com:65536',
    'smtp://mail example.com',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls.rejectUnauthorized=false',
    'smtp://mail.example.com#x',
    'smtp://user@mail.example.com',
    'smtp://:hunter2@mail.example.com',
    'smtp://user:100%hunter2@mail.example.com',
    'smtp://user:hunter2#@mail.example.com'
  ]) {
    t.match(mailUrlProblem(url), /^(?:must be smtp:|must have a user|has a %)/, url)
    t.notMatch(mailUrlProblem(url), 'hunter2')
    t.throws(() => parseMailUrl(url), /^MAIL_URL /)
  }
})

t.test('MAIL_FROM is an address, with or without a name', async (t) => {
  t.same(parseMailFrom('portal@example.com'), { name: '', address: 'portal@example.com' })
  t.same(parseMailFrom('<portal@example.com>'), { name: '', address: 'portal@example.com' })
  t.same(parseMailFrom('Kontor, Söhne <Portal@Bücher.example>'), {
    name: 'Kontor, Söhne',
    address: 'portal@xn--bcher-kva.example'
  })
  t.same(parseMailFrom('"The Portal" <p@example.com>').name, 'The Portal')
  for (const text of [
    '',
    'Portal',
    'Portal <portal>',
    'Portal portal@example.com',
    'a@example.com, b@example.com',
    'Portal <a@example.com>, <b@example.com>',
    'Portal <a@example.com',
    'Portal\r\nBcc: x <a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'A "quoted" name <a@example.com>'
  ]) {
    t.match(mailFromProblem(text), /^must be an address/, text)
    t.throws(() => parseMailFrom(text), /MAIL_FROM/)
  }
})
