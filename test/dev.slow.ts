import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { temporaryFolder, until } from './support/app.ts'
import { root } from './support/root.ts'

const waits = (said: string) =>
  `import { word } from '../db/word.ts'\n` +
  `process.on('SIGTERM', () => process.exit(7))\nsetInterval(() => {}, 60_000)\n` +
  `console.log(${JSON.stringify(said)} as string, word, process.env.GIVEN)\n`

/** `bin/dev.js` in a separate checkout with these sources instead of the portal's. */
async function develop(t: Test, sources: Record<string, string>, args: string[] = []) {
  const folder = temporaryFolder(t)
  for (const name of ['bin', 'package.json', 'tsconfig.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const name of ['src', 'plugins', 'routes', 'db']) mkdirSync(path.join(folder, name))
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    write(file, text)
  }
  const child = spawn(process.execPath, ['bin/dev.js', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, GIVEN: 'given' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exit = once(child, 'close') as Promise<[code: number | null]>
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exit
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  return { folder, write, child, exit, output: () => output }
}

t.test('the development server restarts after a change, and ends on a signal', async (t) => {
  const dev = await develop(t, {
    'src/server.ts': waits('first'),
    'db/word.ts': "export const word: string = 'one'\n"
  })
  await until(() => dev.output().includes('first one given\n'))

  dev.write('src/server.ts', waits('second'))
  await until(() => dev.output().includes('second one given\n'))

  dev.write('db/word.ts', "export const word: string = 'two'\n")
  await until(() => dev.output().includes('second two given\n'))

  dev.child.kill('SIGTERM')
  t.same(await dev.exit, [7, null], 'with the exit code of the server')
})

t.test('sources that do not compile are reported, and the server keeps running', async (t) => {
  const dev = await develop(t, {
    'src/server.ts': waits('first'),
    'db/word.ts': "export const word = 'one'\n"
  })
  await until(() => dev.output().includes('first one'))
  dev.write('src/server.ts', 'const = 1\n')
  await until(() => /src\/server\.ts:1:6/.test(dev.output()))
  dev.write('src/server.ts', waits('mended'))
  await until(() => dev.output().includes('mended one'))
  t.equal(dev.output().split('first one').length, 2, 'it was started once')
})

t.test('a failed server is restarted after the next change', async (t) => {
  const dev = await develop(t, {
    'src/server.ts': "throw new Error('broken')\n",
    'db/word.ts': "export const word = 'one'\n"
  })
  await until(() => dev.output().includes('Waiting for a change'))
  t.match(dev.output(), /broken[^]*src\/server\.ts:1:7/, 'the error names the line of the source')
  dev.write('src/server.ts', waits('mended'))
  await until(() => dev.output().includes('mended one'))
})

t.test('a removed source is no longer found under its old name', async (t) => {
  const dev = await develop(t, {
    'src/server.ts': waits('first'),
    'db/word.ts': "export const word = 'one'\n"
  })
  await until(() => dev.output().includes('first one'))
  t.ok(existsSync(path.join(dev.folder, '.build/db/word.js')))
  rmSync(path.join(dev.folder, 'db/word.ts'))
  await until(() => dev.output().includes('ERR_MODULE_NOT_FOUND'))
  t.notOk(existsSync(path.join(dev.folder, '.build/db/word.js')))
})

t.test(
  'sources that do not compile at the start are reported, and compiled when mended',
  async (t) => {
    const dev = await develop(t, { 'src/server.ts': 'const = 1\n', 'db/word.ts': '' })
    await until(() => dev.output().includes('Waiting for a change'))
    t.match(dev.output(), /src\/server\.ts:1:6/)
    dev.write('db/word.ts', "export const word = 'one'\n")
    dev.write('src/server.ts', waits('mended'))
    await until(() => dev.output().includes('mended one'))
  }
)

t.test('a source that is replaced again and again is noticed each time', async (t) => {
  const dev = await develop(t, {
    'src/server.ts': waits('first'),
    'db/word.ts': "export const word = 'zero'\n"
  })
  await until(() => dev.output().includes('first zero'))
  for (const word of ['one', 'two', 'three']) {
    dev.write('new-word', `export const word = '${word}'\n`)
    renameSync(path.join(dev.folder, 'new-word'), path.join(dev.folder, 'db/word.ts'))
    await until(() => dev.output().includes(`first ${word}`))
  }
  t.equal(dev.output().split('first').length, 5, 'four servers, one after the other')
})

t.test('a source that changes while the server is stopping is not overlooked', async (t) => {
  const slow = waits('first').replace(
    'process.exit(7)',
    "console.log('stopping'); setTimeout(process.exit, 300)"
  )
  const dev = await develop(t, {
    'src/server.ts': slow.replace('() => console', '() => { console').replace('300)', '300) }'),
    'db/word.ts': "export const word = 'one'\n"
  })
  await until(() => dev.output().includes('first one'))
  dev.write('db/word.ts', "export const word = 'two'\n")
  await until(() => dev.output().includes('stopping'))
  dev.write('db/word.ts', "export const word = 'three'\n")
  await until(() => dev.output().includes('first three'))
  t.match(dev.output(), 'first three')
})

t.test('a restart reads .env again', async (t) => {
  const dev = await develop(t, {
    '.env': 'GIVEN=the shell takes precedence\nPORT=1\n',
    'src/server.ts': waits('first').replace('process.env.GIVEN', 'process.env.PORT'),
    'db/word.ts': "export const word = 'one'\n"
  })
  await until(() => dev.output().includes('first one 1\n'))
  dev.write('.env', 'PORT=2\n')
  dev.write('db/word.ts', "export const word = 'two'\n")
  await until(() => dev.output().includes('first two 2\n'))
  t.match(dev.output(), 'first two 2')
})

t.test('--sample changes the data before the first server, and once', async (t) => {
  const sources = {
    'src/server.ts': waits('first'),
    'src/sample/main.ts': "console.log('sample', process.argv[2], process.env.GIVEN)\n",
    'db/word.ts': "export const word = 'one'\n"
  }
  const filling = await develop(t, sources, ['--sample'])
  await until(() => filling.output().includes('first one'))
  filling.write('db/word.ts', "export const word = 'two'\n")
  await until(() => filling.output().includes('first two'))
  t.match(filling.output(), /^sample on given\nfirst one given\n/)
  t.equal(filling.output().split('sample').length, 2)
  const removing = await develop(t, sources, ['--sample', 'off'])
  await until(() => removing.output().includes('first one'))
  t.match(removing.output(), /^sample off given\nfirst/)
  const plain = await develop(t, sources)
  await until(() => plain.output().includes('first one'))
  t.notMatch(plain.output(), 'sample')
})

t.test('an unknown option ends the development server with its usage', async (t) => {
  const dev = await develop(t, { 'src/server.ts': waits('first') }, ['--samples'])
  t.same(await dev.exit, [2, null])
  t.match(dev.output(), 'Usage: npm run dev -- [--sample | --sample off]')
})
