import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { pages } from '../support/documents.ts'
import { root } from '../support/root.ts'
import { checkAccessibility } from './axe.ts'
import { startChromium } from './chromium.ts'
import { npm } from './example-app.ts'
import { checkLook } from './grid.ts'

// The documents as a site, opened from a folder without a server.

const site = path.join(root, 'site')
const folder = temporaryFolder(t)
npm(site, 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error')
execFileSync(process.execPath, [path.join(site, 'build.js'), folder])

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const written = files.filter((file) => file.endsWith('.html'))
const addressOf = (file: string) => pathToFileURL(path.join(folder, file)).href
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

t.test('every document is a page of the site', async (t) => {
  const expected = pages().map((page) =>
    page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')
  )
  t.same(
    expected.filter((file) => !written.includes(file)),
    []
  )
})

t.test('every link leads to a file and a place that exist, without a server', async (t) => {
  const broken: string[] = []
  let count = 0
  for (const file of written) {
    for (const [, link = ''] of read(file).matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(link)) continue
      count++
      const [target = '', anchor] = link.replaceAll('&amp;', '&').split('#')
      const to = target === '' ? file : path.join(path.dirname(file), target)
      const isThere = !link.startsWith('/') && existsSync(path.join(folder, to))
      if (!isThere || (anchor !== undefined && !read(to).includes(` id="${anchor}"`))) {
        broken.push(`${file}: ${link}`)
      }
    }
  }
  t.same(broken, [])
  t.ok(count > 2000, 'there are links')
})

t.test('each page is text as well, whose links lead to text, and llms.txt lists all', async (t) => {
  const broken: string[] = []
  const links = (file: string) => {
    const text = read(file).replaceAll(/^ *(```|~~~)[^]*?^ *\1`*$|`[^`\n]+`/gm, '')
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  }
  for (const file of written.filter((each) => !each.startsWith('files/'))) {
    t.match(
      read(file),
      `<link rel="alternate" type="text/markdown" href="${path.basename(file)}.md">`
    )
    for (const link of links(`${file}.md`)) {
      const [target = ''] = link.split('#')
      const to = path.join(folder, path.dirname(file), target)
      if (!/^https?:/.test(link) && !existsSync(to)) broken.push(`${file}: ${link}`)
    }
  }
  t.same(broken, [])
  t.match(read('docs/do/mail.html.md'), /\]\(\.\.\/lookup\/mails\.html\.md\)/)
  t.notMatch(read('index.html.md'), 'not run', 'what fences tell the tests')

  const list = read('llms.txt')
  t.match(list, /^# portal\n\n> The backend that [^\n]+\n\n```sh\nnpm ci/)
  t.match(list, /^## Run the portal\n\n- \[Install on one host\]\(\S+\): How to install [^\n]+\.$/m)
  t.same(
    links('llms.txt').toSorted(),
    written
      .filter((file) => !file.startsWith('files/'))
      .map((file) => `${file}.md`)
      .toSorted()
  )
})

t.test('every page of the four kinds is in the table of contents', async (t) => {
  const listed = [...read('docs/index.html').matchAll(/ href="([^"#]+)"/g)].map(([, href]) => href)
  const kinds = pages().filter((page) => /^docs\/[a-z]+\/[^/]+\.md$/.test(page))
  t.ok(kinds.length > 30)
  t.same(
    kinds.filter((page) => !listed.includes(page.slice(5).replace(/\.md$/, '.html'))),
    []
  )
})

t.test('a reader searches and goes on, from a folder without a server', async (t) => {
  const problems: string[] = []
  const { open } = await startChromium(t)
  const page = await open(addressOf('index.html'), (problem) => problems.push(problem))
  await page.keyboard.press('/')
  await page.keyboard.type('certificate')
  await page
    .getByRole('link', { name: /Install on one host/ })
    .first()
    .click()
  await page.waitForURL(/docs\/do\/install\.html/)
  t.equal(await page.locator('nav [aria-current]').textContent(), 'Install on one host')
  await page.getByRole('searchbox').fill('no such words anywhere')
  await page.getByText('Nothing found.').waitFor()

  const drawn = written.filter((file) => read(file).includes('<pre class="mermaid">'))
  for (const file of drawn) {
    await page.goto(addressOf(file))
    await page.locator('pre.mermaid svg').first().waitFor()
  }
  t.same(problems, [])
})

t.test(
  'one screen says what the portal is, how it starts, and where each reader goes',
  async (t) => {
    const { open } = await startChromium(t)
    const page = await open(addressOf('index.html'))
    await page.setViewportSize({ width: 1440, height: 900 })
    const parts = page.locator('h1, h1 + p, .code, .ways li')
    for (const part of await parts.all()) {
      const { y, height } = (await part.boundingBox()) ?? { y: Infinity, height: 0 }
      t.ok(y + height <= 900, await part.innerText())
    }
    const rows = readFileSync(path.join(root, 'README.md'), 'utf8').match(/^\| (?!you|---)/gm)
    t.equal(await page.locator('.ways li').count(), rows?.length)
  }
)

t.test('a reader copies a block, and not what a command prints', async (t) => {
  const { open } = await startChromium(t)
  const page = await open(addressOf('index.html'))
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await page.getByRole('searchbox').press('Control+v')
  t.match(await page.getByRole('searchbox').inputValue(), /^npm ci && npm run dev\s*npm test/)
  await page.goto(addressOf('docs/do/install.html'))
  t.equal(await page.locator('.code:has(.language-text) button').count(), 0)
})

t.test('the pages are whole and accessible from a phone to a desktop', async (t) => {
  const { open } = await startChromium(t)
  const page = await open(addressOf('index.html'))
  for (const file of ['index', 'docs/do/install', 'docs/lookup/api']) {
    await page.goto(addressOf(`${file}.html`))
    await checkLook(t, page, `site-${path.basename(file)}`)
    await checkAccessibility(t, page, file)
  }
})

t.test(
  'without scripts, a phone leads to other pages, to parts, and to the next one',
  async (t) => {
    const { browser } = await startChromium(t)
    const page = await browser.newPage({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 }
    })
    await page.goto(addressOf('docs/do/install.html'))
    t.notOk(await page.getByRole('search').isVisible(), 'what needs a script is not there')
    await page.keyboard.press('Tab')
    t.ok(await page.getByRole('link', { name: 'Skip to the content' }).isVisible())
    await page.getByRole('button', { name: 'On this page' }).click()
    await page.getByRole('link', { name: '2. Unpack the release' }).click()
    await page.waitForURL('**/install.html#2-unpack-the-release')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'A container platform' }).click()
    await page.waitForURL('**/containers.html')
    await page.locator('[rel=prev]').click()
    await page.getByRole('button', { name: 'Pages' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Kubernetes').click()
    await page.waitForURL('**/kubernetes.html')
  }
)
