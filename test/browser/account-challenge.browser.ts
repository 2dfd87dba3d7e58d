import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Page } from 'playwright-core'
import { confirmationMails } from '../../db/schema/outbox.ts'
import { freshEmail, password } from '../support/app.ts'
import { isHeaded, send, startAccount, write } from './account-pages.ts'

// The account pages solve challenges. What their policy forbids fails the test.

const { app, visit } = await startAccount(t, {
  EMAIL_VERIFICATION: 'required',
  THROTTLE_MAIL_UNPROVED: { burst: 1, seconds: 999_999 }
})

declare global {
  /** The longest time in milliseconds for which the page could do nothing, and all it has shown. */
  var seen: { gap: number; texts: string[] }
}

function observe() {
  globalThis.seen = { gap: 0, texts: [] }
  let last = performance.now()
  setInterval(() => {
    seen.gap = Math.max(seen.gap, performance.now() - last)
    last = performance.now()
  }, 5)
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => seen.texts.push(document.body.innerText)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true
    })
  })
}

/** Registers on a page that was opened, and returns the statuses of the calls. */
async function register(page: Page) {
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/api/auth/register')) statuses.push(response.status())
  })
  await write(page, 'Name', 'Grace')
  await write(page, 'E-mail address', freshEmail())
  await send(page, 'Password', password, 'Create an account')
  await isHeaded(page, 'Check your mail')
  return statuses
}

async function open(...scripts: (() => void)[]) {
  const page = await visit('/account/sign-in')
  for (const script of scripts) await page.addInitScript(script)
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  const files: string[] = []
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  await page.goto(new URL('/account/register', page.url()).href)
  return { page, workers, loaded: () => files.some((file) => file.includes('/later-proof')) }
}

t.test('a page without a challenge does not load the solver', async (t) => {
  const { page, workers, loaded } = await open()
  t.same(await register(page), [202])
  t.same([workers, loaded()], [[], false])
})

t.test('a challenge is solved in a worker, which nobody sees', async (t) => {
  const { page, workers, loaded } = await open(observe)
  t.same(await register(page), [428, 202])
  t.ok(loaded())
  t.match(workers, [/^blob:/])
  t.same(page.workers(), [], 'the worker has ended')
  const { gap, texts } = await page.evaluate(() => seen)
  t.ok(texts.length > 0)
  t.notMatch(texts.join('\n'), /solving|task|challenge|seconds/i)
  t.comment(`the page could do nothing for ${Math.round(gap)} ms at most`)
})

t.test('the page responds while a worker solves for long', async (t) => {
  await app.db
    .insert(confirmationMails)
    .values(Array.from({ length: 100 }, () => ({ id: randomUUID() })))
  t.teardown(() => app.db.delete(confirmationMails))
  const { page, workers } = await open(observe)
  const searching = page.waitForEvent('worker')
  const statuses = register(page)
  await searching
  const began = performance.now()
  let answers = 0
  while (page.workers().length > 0) {
    await page.evaluate(() => document.title)
    answers++
  }
  const took = performance.now() - began
  t.same(await statuses, [428, 202])
  t.equal(workers.length, 1)
  t.ok(answers > 1, `${answers} answers of the page in ${Math.round(took)} ms`)
})

for (const [what, script] of [
  ['without workers', () => Reflect.deleteProperty(globalThis, 'Worker')],
  [
    'whose policy forbids such workers',
    () => {
      globalThis.Worker = class extends EventTarget {
        onerror?: (event: Event) => void
        postMessage() {
          setTimeout(() => this.onerror?.(new Event('error')))
        }
        terminate() {}
      } as unknown as typeof Worker
    }
  ]
] as const) {
  t.test(`a browser ${what} solves the challenge in the page`, async (t) => {
    const { page, workers } = await open(script)
    t.same(await register(page), [428, 202])
    t.same(workers, [])
  })
}
