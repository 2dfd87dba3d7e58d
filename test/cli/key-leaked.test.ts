import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
const page = readFileSync(path.join(root, 'docs/do/runbooks/key-leaked.md'), 'utf8')
const [, block = ''] = /```sh[^\n]*\n(old=[^]*?)```/.exec(page) ?? []

t.test('the block of "A key leaked" never loses the old key, whatever its id is', async (t) => {
  const folder = temporaryFolder(t)
  const key = (kid: string) => `${kid}:${randomBytes(32).toString('base64url')}`
  const old = key('k2')
  const env = path.join(folder, 'env')
  const both = path.join(folder, 'reseal-env')
  writeFileSync(
    env,
    `PUBLIC_ORIGIN=https://portal.example.com\nDATABASE_URL=${await testDatabaseUrl(t)}\nSECRET_KEYS=${old}\n`
  )
  const programs = path.join(folder, 'bin')
  mkdirSync(programs)
  const program = (name: string, text: string) => {
    writeFileSync(path.join(programs, name), text)
    chmodSync(path.join(programs, name), 0o755)
  }
  for (const name of ['systemctl', 'curl']) program(name, '#!/bin/sh\n')
  const script = readFileSync(path.join(root, 'deploy/portal'), 'utf8')
  const installed = script.replaceAll('/etc/portal', folder).replace('/dist/', '/')
  const follow = () =>
    run('sh', ['-c', block.replaceAll('/etc/portal', folder)], {
      env: {
        PATH: `${programs}:${path.dirname(process.execPath)}:${process.env.PATH}`,
        PORTAL_FOLDER: path.join(root, '.build')
      }
    })
  const current = () => /^SECRET_KEYS=(.*)$/m.exec(readFileSync(env, 'utf8'))?.[1] ?? ''

  program('portal', '#!/bin/sh\nexit 1\n')
  await t.rejects(follow(), 'the operator cannot seal anew')
  const first = current()
  t.not(first, old)
  t.equal(readFileSync(both, 'utf8'), `SECRET_KEYS=${first},${old}\n`)
  t.equal(statSync(both).mode & 0o777, 0o600)

  await t.rejects(follow(), 'and tries once more')
  t.equal(current(), first)
  t.equal(readFileSync(both, 'utf8'), `SECRET_KEYS=${first},${old}\n`)

  program('portal', installed)
  t.match((await follow()).stderr, /They use the first key now/)
  t.equal(current(), first)
  t.notOk(existsSync(both))
})
