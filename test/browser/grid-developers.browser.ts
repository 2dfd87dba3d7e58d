import { eq } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { fillWith, kinds } from './grid-data.ts'
import { checkLook } from './grid.ts'
import { startPages } from './portal.ts'

// The pages for developers that are not of the console: caught mail, and the problem codes.

for (const kind of kinds) {
  t.test(`nothing of the pages for developers is cut, ${kind} data`, async (t) => {
    const { app, base, open } = await startPages(t)
    await fillWith(kind, app)
    const [mail] = await app.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(eq(outbox.state, 'caught'))
      .limit(1)
    const pages = {
      mail: '/mail',
      ...(mail && { 'mail-one': `/mail/${mail.id}` }),
      'mail-none': '/mail?q=nobody',
      ...(kind === 'empty' && { start: '/', 'not-there': '/not-there' }),
      ...(kind === 'empty' && { problems: '/problems', problem: '/problems/rate-limited' })
    }
    const page = await open('/mail')
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(base + path)
      await checkLook(t, page, `developers-${name}-${kind}`)
    }
  })
}
