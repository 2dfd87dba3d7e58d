import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type * as listed from '../bin/checks.js'
import { root } from './support/root.ts'

const { checks, groups } = (await import(path.join(root, 'bin/checks.js'))) as typeof listed
const check = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(root, 'bin/check.js'), ...args], { encoding: 'utf8' })

t.test('npm run check lists every check, with its time', async (t) => {
  const { status, stdout } = check()
  t.equal(status, 0)
  for (const [name, { minutes }] of Object.entries(checks)) {
    t.match(stdout, new RegExp(`^${name} .*`, 'm'))
    t.ok(minutes >= 1, name)
  }
})

t.test('every check is in one group, under which it is listed', async (t) => {
  t.same(Object.values(groups).flat().sort(), Object.keys(checks).sort())
  const { stdout } = check()
  for (const [when, names] of Object.entries(groups)) {
    const [, after = ''] = stdout.split(`\n${when}:\n\n`)
    const [listed = ''] = after.split('\n\n')
    t.same(
      [...listed.matchAll(/^[\w-]+/gm)].map(([name]) => name),
      names,
      when
    )
  }
})

t.test('the page about releases has the checks before a release', async (t) => {
  const page = readFileSync(path.join(root, 'docs/do/release.md'), 'utf8')
  for (const name of groups['Before a release'] ?? []) t.match(page, `npm run check -- ${name}`)
})

t.test('the files of every check exist', async (t) => {
  const files = Object.values(checks).flatMap(({ run }) =>
    run.filter((each) => /\.[jt]s$/.test(each) && !each.startsWith('.'))
  )
  t.ok(files.length > 10)
  for (const file of files) t.ok(existsSync(path.join(root, file)), file)
  const compiled = Object.values(checks).flatMap(({ run: [first] }) =>
    first?.startsWith('.build/') ? [first] : []
  )
  for (const file of compiled) t.ok(existsSync(path.join(root, file)), file)
})

t.test('an unknown check names those that exist', async (t) => {
  const { status, stderr } = check('toString')
  t.equal(status, 2)
  t.match(stderr, /There is no check toString\. There are: browser, /)
})
