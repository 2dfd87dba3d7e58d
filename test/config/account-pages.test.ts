import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { loadConfig, loadOperatorConfig } from '../../src/config/config.ts'
import { temporaryFolder } from '../support/app.ts'
import { development, problemsOf, production } from './environments.ts'

const folder = temporaryFolder(t)
const file = (name: string, content: string) => {
  writeFileSync(path.join(folder, name), content, 'latin1')
  return path.join(folder, name)
}
const png = '\x89PNG\r\n\x1a\n'

t.test('account pages are on in development, and in production if asked for', async (t) => {
  t.match(loadConfig(development), {
    ACCOUNT_PAGES: 'on',
    ACCOUNT_URL: 'http://localhost:3000/account',
    APP_URL: 'http://localhost:3000/account'
  })
  const off = loadConfig(production)
  t.match(off, { ACCOUNT_PAGES: 'off', APP_URL: 'https://portal.example.com/' })
  t.equal(off.ACCOUNT_URL, undefined)
})

t.test('links in mail lead to the account pages where they are on', async (t) => {
  const on = { ...production, ACCOUNT_PAGES: 'on' }
  t.match(loadConfig(on), { ACCOUNT_URL: 'https://portal.example.com/account' })
  const mail = { MAIL_URL: 'smtp://localhost', MAIL_FROM: 'p@example.com' }
  t.match(loadConfig({ ...on, ...mail }), { ACCOUNT_URL: 'https://portal.example.com/account' })
  t.match(problemsOf({ ...production, ...mail }), [/^ACCOUNT_URL is not set/])
  const own = { CORS_ORIGINS: 'https://app.example.com', ACCOUNT_URL: 'https://app.example.com/me' }
  t.match(loadConfig({ ...on, ...own }), { ACCOUNT_URL: own.ACCOUNT_URL })
  const { PUBLIC_ORIGIN, ...elsewhere } = on
  t.match(problemsOf(elsewhere), [/^PUBLIC_ORIGIN is not set/], 'one problem only')
  t.equal(
    loadOperatorConfig({ ...elsewhere, APP_URL: `${PUBLIC_ORIGIN}/app` }).ACCOUNT_URL,
    undefined,
    'a command without the origin knows no address'
  )
})

t.test('PNG and WebP are logos', async (t) => {
  for (const content of [png, 'RIFF\x10\0\0\0WEBPVP8 ']) {
    const ACCOUNT_LOGO = file('logo', content)
    t.equal(loadConfig({ ...production, ACCOUNT_LOGO }).ACCOUNT_LOGO, ACCOUNT_LOGO)
  }
})

const wrong: [name: string, value: string, says: RegExp][] = [
  ['ACCOUNT_PAGES', 'yes', /one of on, off/],
  ['ACCOUNT_LOGO', path.join(folder, 'nothing'), /a file that cannot be read/],
  ['ACCOUNT_LOGO', folder, /a file that cannot be read/],
  ['ACCOUNT_LOGO', file('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), /PNG or WebP/],
  ['ACCOUNT_LOGO', file('empty.png', ''), /PNG or WebP/],
  ['ACCOUNT_LOGO', file('large.png', png.padEnd(50 * 1024 + 1)), /more than 50 KB/],
  ['ACCOUNT_ACCENT', '#fff', /six hexadecimal digits/],
  ['ACCOUNT_ACCENT', 'red', /six hexadecimal digits/],
  ['ACCOUNT_ACCENT', '#0b57d0}body{display:none', /six hexadecimal digits/],
  ['APP_URL', 'app.example.com', /must be a URL/],
  ['APP_URL', 'javascript:alert(1)', /must be a URL/],
  ['APP_URL', 'https://portal.example.com/?x', /without a query/],
  ['APP_URL', 'https://evil.example/', /at PUBLIC_ORIGIN or at one of the CORS_ORIGINS/]
]
for (const [name, value, says] of wrong) {
  t.test(`${name}=${path.basename(value).slice(0, 30)} is rejected by name`, async (t) => {
    const problems = problemsOf({ ...production, ACCOUNT_PAGES: 'on', [name]: value })
    t.match(problems, [says])
    t.equal(problems.length, 1)
    t.ok(problems[0]?.startsWith(`${name} `))
  })
}
