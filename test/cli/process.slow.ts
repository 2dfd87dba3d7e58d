import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { password, testDatabaseUrl } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { built } from '../support/root.ts'
import { portalProcess } from './run.ts'

// The other tests run commands in their own process.

t.test(
  'the program writes all of its output and ends with the exit code of its command',
  async (t) => {
    const env = { DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '10' }
    const create = [
      'admin',
      'create',
      '--email',
      'ops@example.com',
      '--password-file',
      '-',
      '--json'
    ]
    const created = await portalProcess(create, { env, input: `${password}\n` })
    t.match(
      [created.code, JSON.parse(created.stdout)],
      [0, { email: 'ops@example.com' }],
      created.stderr
    )
    t.match(await portalProcess(create, { env, input: `${password}\n` }), {
      code: 4,
      stdout: '',
      stderr: /taken/
    })
    t.match(await portalProcess(['user', 'show', 'nobody@example.com'], { env }), {
      code: 3,
      stderr: /No such user/
    })
    t.match(await portalProcess(['user', 'lst'], { env }), { code: 2, stderr: /Did you mean list/ })
    t.match(await portalProcess(['user', 'list'], { env: {} }), {
      code: 1,
      stderr: /DATABASE_URL is not set/
    })

    const document = await portalProcess(['openapi'])
    t.equal(document.code, 0)
    t.match(JSON.parse(document.stdout), { openapi: /^3\.1/ }, 'more than a pipe holds')
  }
)

t.test('the program ends with exit code 5 when the database is unavailable', async (t) => {
  const env = { DATABASE_URL: `postgres://portal@127.0.0.1:${await freePort()}/portal` }
  t.match(await portalProcess(['user', 'list'], { env }), {
    code: 5,
    stderr: /nothing is listening there/
  })
})

const start = (args: string[], output: 'pipe' | number, env = {}) =>
  spawn(process.execPath, [path.join(built, 'src/cli.js'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, 'pipe']
  })

t.test('a reader that closes the pipe early does not make the program fail', async (t) => {
  const head = start(['openapi'], 'pipe')
  head.stdout?.destroy()
  t.equal((await once(head, 'exit'))[0], 0)

  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const silent = start(['mail', 'retry', '--dead'], 'pipe', env)
  silent.stderr?.destroy()
  t.equal((await once(silent, 'exit'))[0], 0, 'although it reports on stderr')
})

const noFull = !existsSync('/dev/full') && 'Linux only'
t.test('the program says when its output cannot be written', { skip: noFull }, async (t) => {
  const full = openSync('/dev/full', 'w')
  const child = start(['openapi'], full)
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  closeSync(full)
  t.match({ code, stderr }, { code: 1, stderr: /The output cannot be written \(ENOSPC\)/ })
})

t.test('commands that read stdin end when the pipe is empty', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t), PATH: process.env.PATH ?? '' }
  const cli = `'${process.execPath}' '${path.join(built, 'src/cli.js')}'`
  const commands = [
    'import users -',
    'import flags -',
    'flag create a-flag --file -',
    'flag try a-flag --file -',
    'segment create a-segment --file -',
    'settings set ada@example.com --file -',
    'user create --email ada@example.com --name Ada --password-file -'
  ]
  for (const command of commands) {
    for (const producer of ["printf ''", 'false']) {
      const child = spawn('sh', ['-c', `${producer} | ${cli} ${command}`], { env })
      let stderr = ''
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      const [code] = await once(child, 'close')
      if (command === 'import users -') t.match({ code, stderr }, { code: 0, stderr: /imported 0/ })
      else t.not(code, 0, command)
    }
  }
})
