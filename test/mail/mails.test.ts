import t from 'tap'
import { renderMail } from '../../src/domain/mail/letters.ts'
import { buttonColours } from '../../src/http/pages/accent.ts'
import { locales, samples, settings, token } from './samples.ts'

const reader = { name: 'Ada Lovelace', timeZone: 'Europe/Berlin' }
const times = {
  en: (day: string) => `May ${day}, 2026`,
  de: (day: string) => `${day}. Mai 2026 um 00:30`,
  fr: (day: string) => `${day} mai 2026 à 00:30`,
  es: (day: string) => `${day} de mayo de 2026 a las 0:30`
}
const paths: Record<string, string[]> = {
  confirm: [`/confirm?token=${token}`],
  'address-kept': [],
  'already-registered': ['/sign-in', '/forgot'],
  invitation: [`/reset?token=${token}`],
  'scope-invitation': [`/invitation?token=${token}`],
  recovery: [`/reset?token=${token}`],
  'email-change': [`/confirm-email?token=${token}`],
  'email-verify': [`/confirm-email?token=${token}`],
  'email-changed': [`/revert?token=${token}`],
  'password-changed': [`/revert-factors?token=${token}`, `/end-keys?token=${token}`, '/forgot'],
  'new-device': ['/sessions'],
  'account-deleted': [],
  'deletion-planned': [`/restore?token=${token}`],
  'deletion-cancelled': ['/forgot'],
  'factor-enrolment': [`/enrol?token=${token}`],
  'second-factor-added': [`/revert-factors?token=${token}`],
  'second-factor-removed': ['/security'],
  'second-factor-guessed': ['/forgot'],
  'second-factor-required': ['/security'],
  'recovery-codes-renewed': ['/security'],
  'sign-in-unfinished': ['/forgot'],
  'passkey-added': ['/security'],
  'passkey-removed': ['/security'],
  'export-made': ['/forgot'],
  'passkey-copied': ['/forgot'],
  'recovery-code-used': ['/security'],
  'provider-linked': ['/revert-factors?token=' + token],
  'provider-unlinked': ['/security'],
  'key-created': ['/security'],
  'key-expiring': ['/security'],
  test: []
}

/** The words of the HTML, with links and facts as the plain text writes them. */
function wordsOf(html: string) {
  const body = html.slice(html.indexOf('<body'))
  return body
    .replace(/<h1.*<\/h1>/, '') // the subject
    .replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2: $1')
    .replace(/<\/th>/g, ': ')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .trim()
    .split(/\s+/)
}

for (const [kind, mail] of Object.entries(samples)) {
  for (const locale of locales) {
    t.test(`${kind} in ${locale}`, async (t) => {
      const { subject, text, html } = renderMail(
        mail,
        'ada@example.com',
        { ...reader, locale },
        settings
      )
      const links = [...text.matchAll(/https?:\S+/g)].map(([link]) => link)
      const expected = (paths[kind] ?? ['missing']).map((path) => `${settings.accountUrl}${path}`)

      t.same(wordsOf(html), text.replace('\n-- \n', '\n').trim().split(/\s+/), 'both say the same')
      t.same(links, expected, 'each link is there once')
      t.same(
        html.match(/(?:href|src|url)\b/g) ?? [],
        links.map(() => 'href'),
        'nothing is loaded'
      )
      t.notMatch(html, /<(?:img|script|link|iframe|object|form|meta http-equiv)/)
      const shown = html.replace(/<style>[^]*<\/style>/, '')
      t.notMatch(`${subject}${text}${shown}`, /[{}]|undefined|null|NaN/, 'no placeholder is left')
      t.match(html, /<h1 [^>]*>[^<]+<\/h1>/)
      t.equal(html.split('background:#3b55d0').length - 1, links.length > 0 ? 1 : 0, 'one button')
      t.notMatch(subject, /[\r\n]/)
      t.match(text, 'Ada Lovelace')
      t.match(text, 'ada@example.com', 'to whom it was sent')
      t.ok(text.startsWith(`${settings.product}\n\n`))
      if ('token' in mail) t.match(text, times[locale]('4'))
      if ('at' in mail) t.match(text, times[locale]('3'))
      if ('at' in mail) t.match(text, /Edge, Windows[^]*2001:db8::7/)
      t.match(html, `<html lang="${locale}"`)
    })
  }
}

t.test('the languages differ in every subject and first sentence', async (t) => {
  for (const mail of Object.values(samples)) {
    const [one, other] = locales.map((locale) =>
      renderMail(mail, 'ada@example.com', { locale }, settings)
    )
    t.not(one?.subject, other?.subject)
    t.not(one?.text.split('\n\n')[2], other?.text.split('\n\n')[2])
  }
})

t.test('a mail without a name, a zone or facts leaves them out', async (t) => {
  const { text } = renderMail(
    {
      kind: 'password-changed',
      at: '2026-05-02T22:30:00.000Z',
      ip: null,
      userAgent: 'unheard-of/8'
    },
    'ada@example.com',
    {},
    settings
  )
  t.match(text, /^.+\n\nHello,\n/)
  t.match(text, /May 2, 2026 at 10:30\sPM UTC/)
  t.notMatch(text, /Browser|Network|unheard/)
})

t.test('the mail about a new browser advises what ends that sign-in', async (t) => {
  const textOf = (more: object) =>
    renderMail(
      { kind: 'new-device', at: '2026-05-02T22:30:00.000Z', ...more },
      'a@b.example',
      {},
      settings
    ).text.replaceAll(/\s+/g, ' ')
  t.match(textOf({ method: 'password' }), /the password\. .*change your password.*\/sessions/)
  t.match(textOf({ method: 'passkey' }), /a passkey\. .*remove every passkey.*\/security/)
  const acme = { method: 'provider', provider: 'Acme' }
  t.match(textOf(acme), /an account at Acme\. .*unlink the account at Acme.*\/security/)
  t.match(textOf({}), /check how you sign in.*\/sessions/, 'one from before an upgrade')
})

t.test('the time follows the region of the reader', async (t) => {
  const textFor = (locale: string, timeZone: string | null = 'UTC') =>
    renderMail(samples['new-device'], 'ada@example.com', { locale, timeZone }, settings).text
  t.match(textFor('en-GB'), '2 May 2026 at 22:30 UTC')
  t.match(textFor('de-AT'), '2. Mai 2026 um 22:30 UTC')
  t.match(textFor('en-US', 'Asia/Tokyo'), /May 3, 2026 at 7:30\sAM GMT\+9/)
  t.match(textFor('it-IT'), 'May 2, 2026', 'without Italian texts, nothing is Italian')
  t.match(textFor('en-GB', 'Mars/Olympus'), /10:30\sPM UTC/, 'a zone that Node does not know')
})

t.test('a language without texts falls back to the configured one, then to English', async (t) => {
  const textFor = (locale: string | null, fallback: string) =>
    renderMail(samples.test, 'ada@example.com', { locale }, { ...settings, locale: fallback }).text
  t.match(textFor('it', 'de'), 'Testnachricht')
  t.match(textFor(null, 'de-CH'), 'Testnachricht')
  t.match(textFor('it', 'nl'), 'test mail')
  t.match(textFor('en', 'de'), 'test mail')
})

t.test('links keep the path of ACCOUNT_URL, with or without a slash at its end', async (t) => {
  for (const [accountUrl, link] of [
    ['https://example.com', `https://example.com/reset?token=${token}`],
    ['https://example.com/a/', `https://example.com/a/reset?token=${token}`],
    ['https://example.com/a?lang=de', `https://example.com/a/reset?lang=de&token=${token}`]
  ] as const) {
    const { text, html } = renderMail(
      samples.recovery,
      'ada@example.com',
      {},
      { ...settings, accountUrl }
    )
    t.match(text, `\n${link}\n`)
    t.match(html, `href="${link.replace('&', '&amp;')}"`)
  }
})

t.test('no name gets markup, a link or a line break into a mail', async (t) => {
  const names = [
    '<b>bold</b><img src=x onerror=alert(1)>',
    'see http://evil.example/login now',
    'HTTPS://EVIL.EXAMPLE',
    'www.evil.example',
    'evil.example',
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'evil。example',
    'evil․example',
    'hhttpttp www.w evil .example',
    '203.0.113.7',
    'mail me@evil.example',
    'Ada\r\nBcc: victim@example.org\r\n\r\nbody',
    'Ada\u202egnp.exe\u2066',
    '{product}{name}',
    `${'x'.repeat(80)}`,
    '& "quoted" \'too\''
  ]
  const plain = renderMail(samples.confirm, 'ada@example.com', { name: 'Ada' }, settings)
  for (const name of names) {
    const { subject, text, html } = renderMail(
      samples.confirm,
      'ada@example.com',
      { name },
      settings
    )
    const [product, , greeting = '', ...rest] = text.split('\n')
    t.equal(product, settings.product)
    t.equal(subject, plain.subject)
    t.same(rest, plain.text.split('\n').slice(3), name)
    t.match(greeting, /^Hello(?: [\p{L}\p{N} ,.()'’-]{1,40})?,$/u, name)
    t.notMatch(greeting, /\.(?! )/)
    t.notMatch(greeting, /https?|www/i)
    t.equal(html.replace(/<p>Hello[^<]*<\/p>/, ''), plain.html.replace('<p>Hello Ada,</p>', ''))
  }
  for (const name of [
    "Miles O'Brien",
    'J. R. R. Tolkien',
    'Seán Ó Conaill-Núñez',
    '李小龍',
    'אדה'
  ]) {
    t.match(
      renderMail(samples.confirm, 'ada@example.com', { name }, settings).text,
      `Hello ${name},`
    )
  }
  t.match(renderMail(samples.confirm, 'ada@example.com', { name: '<>' }, settings).text, 'Hello,\n')
})

t.test(
  'the first button has the colours of the account pages, the second one is a link',
  async (t) => {
    const look = { accent: buttonColours('#ffd400'), logo: 'https://example.com/a.png?b&c' }
    const { html } = renderMail(
      samples['already-registered'],
      'ada@example.com',
      {},
      {
        ...settings,
        look
      }
    )
    const [first, second] = html.match(/<a [^>]+>/g) ?? []
    t.match(first, /sign-in" style="background:#ffd400;color:#000000;/)
    t.match(second, /forgot" class="link"/)
    t.match(html, '<img src="https://example.com/a.png?b&amp;c" alt="Kontor &amp; Söhne"')
    t.match(html, /<h1 [^>]+>You already have an account at Kontor &amp; Söhne<\/h1>/)
  }
)
