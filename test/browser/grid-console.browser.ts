import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import t from 'tap'
import { writeUser } from '../../src/domain/users/users.ts'
import { temporaryFolder } from '../support/app.ts'
import { startConsole } from './console-pages.ts'
import { fillSettings, fillWith, kinds, providersOf, schemasOf } from './grid-data.ts'
import { checkLook, pathsOf } from './grid.ts'

// Every view of the console, and what opens over one.

/** The addresses of the sections of what is shown, which have the parameter `:tab?`. */
const sectionsOf = (page: Page) =>
  page
    .locator('nav.tabs a')
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).pathname))

for (const kind of kinds) {
  t.test(`nothing of the console is cut, ${kind} data`, async (t) => {
    const DATABASE_URL = `pglite:${temporaryFolder(t)}/db`
    const console = await startConsole(t, {
      ...(kind !== 'empty' && { providers: providersOf(kind), settingsSchemas: schemasOf(kind) }),
      ...(kind !== 'hostile' && { DATABASE_URL })
    })
    // After the first start, the sign-in says which account exists.
    if (kind !== 'hostile') {
      writeFileSync(`${DATABASE_URL.replace('pglite:', '')}.admin-password`, 'only in pictures')
    }
    const { user, names } = await fillWith(kind, console.app)
    await fillSettings(kind, console.app, names.id)
    const page = await console.visit('/console')
    await checkLook(t, page, `console-sign-in-${kind}`)
    const visitor = await console.visitAs(user, '/console')
    // They have a passkey. Before, signing in would have asked for it.
    if (kind === 'hostile') await writeUser(console.app.db, user.id, { secondFactor: true })
    await page.close()

    async function check(path: string, name: string) {
      await visitor.goto(console.base + path)
      await checkLook(t, visitor, `console-${name}-${kind}`)
    }
    /** Opens the changes of a version, and the question before it is restored. */
    async function checkVersions(name: string) {
      const version = visitor.locator('.history > li').nth(1)
      if ((await version.count()) === 0) return
      await version.locator('summary').click()
      await checkLook(t, visitor, `console-${name}-version-${kind}`)
      await version.getByRole('button', { name: 'Restore' }).click()
      await checkLook(t, visitor, `console-${name}-restore-${kind}`)
    }
    for (const path of [...pathsOf('console'), '/not-there']) {
      const filled = path.replaceAll(/:(\w+)(\??)/g, (_, name: keyof typeof names, optional) => {
        if (!(name in names) && !optional) throw new Error(`no data has a ${name}`)
        return names[name] ?? ''
      })
      const name = path.replaceAll(/^\/|\/?:\w+\?/g, '').replaceAll(/\W+/g, '-') || 'overview'
      await check(`/console${filled}`.replace(/\/$/, ''), name)
      await checkVersions(name)
      if (!path.includes(':tab?')) continue
      const [, ...sections] = await sectionsOf(visitor)
      for (const section of sections) await check(section, `${name}-${section.split('/').at(-1)}`)
    }
  })
}
