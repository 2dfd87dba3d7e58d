import t from 'tap'
import { renderMail } from '../../src/domain/mail/letters.ts'
import { samples } from '../mail/samples.ts'
import { checkAccessibility, wcag } from './axe.ts'
import { keepPicture } from './grid.ts'
import { startPages } from './portal.ts'

const { app, open } = await startPages(t)
const page = await open('/account/not-found')
await page.goto('about:blank') // without the policy of the portal, as in a program for mail
const reader = { name: `Ada ${'W'.repeat(60)}`, timeZone: 'Europe/Vienna' }
const to = `${'w'.repeat(64)}@${'example-'.repeat(20)}.example.com`
const words = (text: string) => text.trim().split(/\s+/)

/** The visible text, with links and facts as the plain text writes them. It runs in the page. */
function wordsShown() {
  document.querySelector('h1')?.remove() // the subject
  for (const link of document.querySelectorAll('a')) link.append(`: ${link.getAttribute('href')}`)
  for (const label of document.querySelectorAll('th')) label.append(':')
  return document.body.innerText
}

for (const [kind, content] of Object.entries(samples)) {
  for (const locale of ['en', 'de']) {
    t.test(`${kind} in ${locale} fits 320 and 800 px, light and dark`, async (t) => {
      const { html, text } = renderMail(content, to, { ...reader, locale }, app.mailSettings)
      await page.setContent(html)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [320, 800]) {
          await page.setViewportSize({ width, height: 600 })
          const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
          t.ok(scrollWidth <= width, `${colorScheme}: ${scrollWidth} of ${width} px`)
          await keepPicture(page, `mail-${kind}-${locale}-${colorScheme}-${width}`)
        }
      }
      await page.emulateMedia({ colorScheme: null })
      const column = await page.locator('table table').first().boundingBox()
      t.equal(column?.width, 576)
      if (locale === 'en') await checkAccessibility(t, page, kind, wcag)
      const shown = await page.evaluate(wordsShown)
      t.same(words(shown), words(text.replace('\n-- \n', '\n')), 'both say the same')
    })
  }
}
