import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { built, root } from './support/root.ts'

// From Node 22 on, each takes 98 to 293 MB where src/module-resolution.ts comes too late.
t.test('loading the tables takes less than 90 MB, and loads each file once', async (t) => {
  const code = `
    await import(${JSON.stringify(path.join(built, 'src/module-resolution.js'))})
    await import(${JSON.stringify(path.join(built, 'db/schema/users.js'))})
    const [all, part] = [await import('drizzle-orm'), await import('drizzle-orm/sql')]
    console.log(JSON.stringify({ once: all.sql === part.sql, bytes: process.memoryUsage.rss() }))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8'
  })
  const { once, bytes } = JSON.parse(stdout) as { once: boolean; bytes: number }
  t.ok(once)
  t.ok(bytes < 90e6, `${bytes / 1e6} MB`)
})

t.test(
  'imports of the portal are not looked for on the disk, and a package only once',
  async (t) => {
    // Hooks that are registered later come first: this one hears what the portal leaves to Node.
    const code = `
    const asked = []
    const resolve = (specifier, context, next) => {
      if (context.parentURL?.startsWith(${JSON.stringify(pathToFileURL(built).href)})) {
        asked.push(specifier)
      }
      return next(specifier, context)
    }
    process.getBuiltinModule('node:module').registerHooks({ resolve })
    await import(${JSON.stringify(path.join(built, 'src/module-resolution.js'))})
    await import(${JSON.stringify(path.join(built, 'db/tables.js'))})
    console.log(JSON.stringify(asked))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      encoding: 'utf8'
    })
    const asked = JSON.parse(stdout) as string[]
    const packages = asked.filter((each) => /^[@a-z][^:]*$/.test(each))
    t.ok(packages.includes('drizzle-orm/pg-core'))
    t.equal(new Set(packages).size, packages.length)
    t.same(
      asked.filter((each) => each.startsWith('.')),
      []
    )
  }
)

t.test('a command takes less than 140 MB', async (t) => {
  const report = 'process.on("exit", () => console.error(process.memoryUsage.rss()))'
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(report)}`],
      ...[path.join(built, 'src/cli.js'), 'user', '--help']
    ],
    { encoding: 'utf8' }
  )
  t.match(stdout, 'Usage: portal user')
  t.ok(Number(stderr) < 140e6, `${stderr} bytes`)
})
