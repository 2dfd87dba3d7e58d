import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { accentStyle, contrast, parseColour } from '../../src/http/pages/accent.ts'
import { writeBundle } from '../../src/http/pages/bundles.ts'
import { temporaryFolder, testApp } from '../support/app.ts'
import { withinLimit } from '../support/size-limits.ts'

const logo = path.join(temporaryFolder(t), 'logo')
const image = Buffer.from('\x89PNG\r\n\x1a\nan image', 'latin1')
writeFileSync(logo, image)
const app = await testApp(t, {
  development: false,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  ALLOWED_HOSTS: ['localhost'],
  CORS_ORIGINS: ['https://app.example.com'],
  APP_URL: 'https://app.example.com/start',
  ACCOUNT_PAGES: 'on',
  ACCOUNT_LOGO: logo,
  ACCOUNT_ACCENT: '#ffd400',
  PRODUCT_NAME: 'Fish & <b>Chips</b>'
})

const filesOf = (html: string) =>
  [...html.matchAll(/(?:href|src)="(\/[^"]+\/assets\/[^"]+)"/g)].map(([, url = '']) => url)
/** The settings that the server embeds for the scripts of a page. */
function settingsIn(html: string) {
  const [, text = ''] = /<meta name="settings" content="([^"]*)">/.exec(html) ?? []
  const entities = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" }
  return JSON.parse(
    text.replace(/&([^;]+);/g, (whole, name: keyof typeof entities) => entities[name] ?? whole)
  ) as Record<'product' | 'logo' | 'returnTo', string> & {
    languages: Record<string, string | null>
  }
}

t.test('production serves the account pages if they are on, and nothing else', async (t) => {
  const page = await app.inject('/account/sign-in')
  t.match(page, { statusCode: 200, headers: { 'cache-control': 'no-store' } })
  t.match(page.headers, {
    'content-security-policy': /^default-src 'none'; .*; trusted-types default; worker-src blob:$/,
    'permissions-policy': /^publickey-credentials-get=\(self\)/,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': /max-age/
  })
  t.match(page.body, '<title>Fish &amp; &lt;b&gt;Chips&lt;/b&gt;</title>')
  t.equal(settingsIn(page.body).product, 'Fish & <b>Chips</b>')
  t.equal((await app.inject('/console')).statusCode, 404)
  const foreign = await app.inject({ url: '/account', headers: { host: 'evil.example' } })
  t.match(foreign.json(), { status: 421, code: 'host-not-allowed' })

  const off = await testApp(t, { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' })
  for (const url of ['/account', '/account/sign-in', ...filesOf(page.body)]) {
    const headers = { host: 'portal.example.com' }
    t.match((await off.inject({ url, headers })).json(), { status: 404, code: 'not-found' }, url)
  }
})

t.test('bundle, colour and logo are files with a hash in the name, and small', async (t) => {
  const { body } = await app.inject('/account')
  const [style = '', accent = '', script = ''] = filesOf(body)
  t.match(style, /^\/account\/assets\/account-\w{8}\.css$/)
  t.match(accent, /^\/account\/assets\/accent-\w{8}\.css$/, 'after the one that it changes')
  const headers = { 'accept-encoding': 'br' }
  const files = await Promise.all(
    [style, accent, script].map((url) => app.inject({ url, headers }))
  )
  const size = files.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)
  withinLimit(t, 'compressed bytes of the account pages', { size, limit: 42 * 1024 })
  t.match((await app.inject(accent)).body, '--accent-fill:#ffd400')
  const shown = await app.inject(settingsIn(body).logo)
  t.match(shown.headers, {
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable'
  })
  t.same(shown.rawPayload, image)
  t.equal((await app.inject('/account/assets/..%2fsrc')).statusCode, 404)
})

t.test('the build writes the files that are served', async (t) => {
  const folder = temporaryFolder(t)
  await writeBundle('account', folder)
  const served = filesOf((await app.inject('/account')).body).map((url) => path.basename(url))
  for (const file of readdirSync(folder)) {
    t.equal(served.includes(file), !file.startsWith('later-'), file)
    const { rawPayload } = await app.inject(`/account/assets/${file}`)
    t.ok(readFileSync(path.join(folder, file)).equals(rawPayload))
  }
  const later = readdirSync(folder).filter((file) => file.startsWith('later-'))
  t.match(later.sort(), [/^later-proof-/, /^later-rare-views-/])
  t.equal(readdirSync(folder).length, 4)
})

t.test('text in the colour of the product, and on it, is readable', async (t) => {
  for (const accent of ['#000000', '#ffffff', '#ffd400', '#0b57d0', '#7f7f7f', '#00ff00']) {
    const style = accentStyle(accent)
    const fill = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(style)?.[1] ?? ''
    t.equal(fill('accent-fill'), accent)
    for (const [mode, surfaces] of [
      [0, ['#ffffff', '#f6f7f9', '#eff1f4']],
      [1, ['#0e1014', '#14171c', '#1b1f26', '#1e222a']]
    ] as const) {
      const text = (name: string) =>
        new RegExp(`--${name}:light-dark\\(([^,]+),([^)]+)`).exec(style)?.[mode + 1] ?? ''
      for (const [above, below] of [
        ...[...surfaces, text('accent-soft')].flatMap((surface) => [
          [text('accent'), surface],
          [text('accent-text-hover'), surface]
        ]),
        [fill('on-accent'), accent],
        [fill('on-accent'), fill('accent-hover')]
      ] as [string, string][]) {
        const found = contrast(parseColour(above), parseColour(below))
        t.ok(found >= 4.5, `${accent}: ${above} on ${below}, ${found}`)
      }
    }
  }
})

t.test('a sign-in leads to the portal, to an app of it, or to APP_URL', async (t) => {
  const returnTo = async (query: string) =>
    settingsIn((await app.inject(`/account/sign-in${query}`)).body).returnTo
  t.equal(await returnTo(''), 'https://app.example.com/start')
  for (const [given, expected] of [
    ['/invoices?page=2', 'https://portal.example.com/invoices?page=2'],
    ['https://app.example.com/x#y', 'https://app.example.com/x#y'],
    ['https://portal.example.com/', 'https://portal.example.com/']
  ] as const) {
    t.equal(await returnTo(`?return=${encodeURIComponent(given)}`), expected)
  }
  for (const given of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\t//evil.example',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://eve@app.example.com/',
    'https://:secret@app.example.com/',
    'https://eve:secret@app.example.com/',
    'https://app.example.com:8443/',
    'http://app.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://app.example.com/1',
    'https://',
    ''
  ]) {
    const target = await returnTo(`?return=${encodeURIComponent(given)}`)
    t.match(
      target,
      given === '' ? /^https:\/\/portal/ : /^https:\/\/app\.example\.com\/start$/,
      given
    )
  }
  t.equal(await returnTo('?return=/a&return=/b'), 'https://app.example.com/start')
})

t.test('a browser gets the texts of its language along with the page', async (t) => {
  const words = { 'sign-in': 'Log <b>in</b>', 'problem.mail-off': 'No mail.' }
  const portalWith = (files: Record<string, object>) => {
    const folder = temporaryFolder(t)
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(path.join(folder, name), JSON.stringify(content))
    }
    return testApp(t, { ACCOUNT_PAGES: 'on', MAIL_TEXTS: folder })
  }
  const english = await portalWith({ 'nl.json': { 'sign-in': 'Inloggen' } })
  const changed = await portalWith({ 'nl.json': {}, 'en.json': words })
  const textsFor = async (portal: typeof app, accepted: string) => {
    const { body } = await portal.inject({
      url: '/account',
      headers: { 'accept-language': accepted }
    })
    const [, url] = /<link rel="preload" href="(\/account\/assets\/[^"]+)"/.exec(body) ?? []
    if (url === undefined) return undefined
    const { headers, json } = await portal.inject(url)
    t.equal(headers['content-type'], 'application/json')
    t.ok(Object.values(settingsIn(body).languages).includes(url))
    return json<Record<string, string>>()
  }
  t.equal(await textsFor(english, 'en-GB, de'), undefined, 'the script has them')
  t.match(await textsFor(english, 'de-AT, en'), { 'sign-in': 'Anmelden' })
  t.match(await textsFor(english, 'nl-BE'), { 'sign-in': 'Inloggen', password: 'Password' })
  t.match(await textsFor(changed, 'en'), words, 'also of a problem without English words')
  const dutch = await textsFor(changed, 'nl')
  t.equal(dutch?.['sign-in'], words['sign-in'], 'what a file lacks is in English')
  t.equal(dutch?.['recovery.subject'], undefined, 'those of mails are left out')
})
