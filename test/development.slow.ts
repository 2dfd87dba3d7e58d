import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl, until } from './support/app.ts'
import { post, startDevelopment as startServer } from './support/server-process.ts'
import type { ServerProcess as Server } from './support/server-process.ts'

// Tests what a server in development shows to the developer who starts it.

const ready = (server: Server) => server.ready()

t.test(
  'the first start in development prints all addresses and creates an administrator',
  async (t) => {
    const cwd = temporaryFolder(t)
    const env = { DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '10' }
    const server = await ready(await startServer(t, env, cwd))
    await until(() => /Password +in .+\n/.test(server.output()))
    t.match(
      server.output(),
      /API +http:\/\/localhost:\d+\n +Console +http:\/\/localhost:\d+\/console\n +Account +http:\/\/localhost:\d+\/account\n +Docs +http:\/\/localhost:\d+\/docs\n +Mail +http:\/\/localhost:\d+\/mail\n +Health +http:\/\/localhost:\d+\/health\n +Database +P/
    )
    t.match(server.output(), /Admin +admin@portal\.localhost/)
    const file = path.resolve(cwd, /Password +in (.+)/.exec(server.output())?.[1] ?? '')
    const adminPassword = readFileSync(file, 'utf8').trim()
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.equal(statSync(path.join(cwd, '.data/secret-keys')).mode & 0o777, 0o600)
    t.notOk(
      server.output().includes(adminPassword),
      'the password is not written where output is collected'
    )
    const login = await post(server, '/api/auth/login', {
      email: 'admin@portal.localhost',
      password: adminPassword
    })
    t.match(await login.json(), { user: { roles: ['admin', 'user'] } })

    server.process.kill('SIGTERM')
    await server.exit
    const again = await ready(await startServer(t, env, cwd))
    await until(() => /Password +in .+\n/.test(again.output()))
    t.match(
      again.output(),
      /Admin +admin@portal\.localhost\n +Password +in .+, unless it was changed since\n/
    )
    t.notOk(again.output().includes(adminPassword))
  }
)

t.test('a signal that arrives before the banner ends a development server as usual', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '15' }
  const server = await ready(await startServer(t, env))
  // By its response, the password of the administrator is being hashed.
  t.equal((await fetch(`${server.base}/health`)).status, 200)
  const unfinished = connect(server.port, '127.0.0.1')
  await once(unfinished, 'connect')
  unfinished.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  server.process.kill('SIGTERM')
  await until(() => /Password +in .+\n/.test(server.output()))
  await t.rejects(fetch(server.base), 'it accepts no connections')
  unfinished.destroy()
  t.equal(await server.exit, 0, server.output())
})

t.test(
  'every link of the banner works, whatever address a development server listens on',
  async (t) => {
    for (const HOST of ['127.0.0.2', '0.0.0.0']) {
      const server = await startServer(t, {
        DATABASE_URL: await testDatabaseUrl(t),
        BCRYPT_COST: '10',
        HOST,
        ALLOWED_HOSTS: ''
      })
      const link = /(?:API|Network|Console|Account|Docs|Health) +(http:\S+)\n/g
      const links = () => [...server.output().matchAll(link)].map(([, url = '']) => url)
      // The banner may arrive in several parts.
      await until(() => links().length >= 5)
      for (const url of links()) t.equal((await fetch(url)).status, 200, url)
    }
  }
)

t.test(
  'a development server logs a short line for each request, with the id in problem documents',
  async (t) => {
    const server = await ready(
      await startServer(t, {
        DATABASE_URL: await testDatabaseUrl(t),
        BCRYPT_COST: '10',
        LOG_LEVEL: 'debug'
      })
    )
    const refused = (await (await fetch(`${server.base}/api/auth/me`)).json()) as {
      instance: string
    }
    const id = refused.instance.replace('urn:uuid:', '')
    await fetch(`${server.base}/openapi.json`)
    await until(() => /\/openapi\.json 200 /.test(server.output()))
    const lines = server.output().split('\n')
    t.match(
      lines.find((line) => line.includes(id)),
      /INFO: GET \/api\/auth\/me 401 [\d.]+ ms [0-9a-f-]{36}$/
    )
    const read = lines.find((line) => line.includes('/openapi.json'))
    t.match(
      read,
      /DEBUG: GET \/openapi\.json 200 [\d.]+ ms [0-9a-f-]{36}$/,
      'successful reads are visible at level debug'
    )
    t.ok((read?.length ?? Infinity) <= 100)
    t.notMatch(server.output(), /127\.0\.0\.0|\{"/)
  }
)
