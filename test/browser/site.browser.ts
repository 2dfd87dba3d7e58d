import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { pages } from '../support/documents.ts'
import { root } from '../support/root.ts'
import { startChromium } from './chromium.ts'
import { npm } from './example-app.ts'

// The documents as a site, opened from a folder without a server.

const site = path.join(root, 'site')
const folder = temporaryFolder(t)
npm(site, 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error')
execFileSync(process.execPath, [path.join(site, 'build.js'), folder])

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const written = files.filter((file) => file.endsWith('.html'))
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
  const page = await open(pathToFileURL(path.join(folder, 'index.html')).href, (problem) =>
    problems.push(problem)
  )
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
    await page.goto(pathToFileURL(path.join(folder, file)).href)
    await page.locator('pre.mermaid svg').first().waitFor()
  }
  t.same(problems, [])
})
