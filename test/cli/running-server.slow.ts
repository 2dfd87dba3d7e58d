// Also on PGlite.

import t from 'tap'
import { onPglite, password, testDatabaseUrl } from '../support/app.ts'
import { production, startServer } from './production-server.ts'
import { portal } from './run.ts'

if (onPglite) {
  t.test(
    'a command reports a data directory in use by a server and ends with exit code 5',
    async (t) => {
      const env = { ...production(), DATABASE_URL: await testDatabaseUrl(t) }
      const server = await startServer(t, env)
      for (const args of [['user', 'list'], ['migrate']]) {
        const result = await portal(args, { env })
        t.equal(result.code, 5)
        t.match(result.stderr, /in use|another process/i)
      }
      t.match(
        JSON.parse((await portal(['doctor', '--json'], { env })).stdout).find(
          (each: { check: string }) => each.check === 'database'
        ),
        { result: 'problem' }
      )
      await server.stop()
      t.equal((await portal(['user', 'list'], { env })).code, 0)
    }
  )
} else {
  t.test(
    'changes by a command take effect with the next request of a running server',
    async (t) => {
      const env = { ...production(), DATABASE_URL: await testDatabaseUrl(t) }
      t.equal(
        (
          await portal(
            [
              'user',
              'create',
              '--email',
              'ada@example.com',
              '--name',
              'Ada',
              '--password-file',
              '-'
            ],
            { env, input: password }
          )
        ).code,
        0
      )
      const server = await startServer(t, env)
      for (const end of [
        ['session', 'revoke', '--user', 'ada@example.com', '--yes'],
        ['user', 'deactivate', 'ada@example.com']
      ]) {
        const cookie = await server.signIn('ada@example.com')
        t.equal(await server.me(cookie), 200)
        t.equal((await portal(end, { env })).code, 0)
        t.equal(await server.me(cookie), 401, end.join(' '))
      }
      const flag = JSON.stringify({
        key: 'switch',
        type: 'boolean',
        variants: { on: true, off: false },
        defaultVariant: 'on',
        offVariant: 'off',
        public: true
      })
      t.equal((await portal(['flag', 'create', '--file', '-'], { env, input: flag })).code, 0)
      const value = async () =>
        (
          (await (await server.post('/ofrep/v1/evaluate/flags/switch', {})).json()) as {
            value: boolean
          }
        ).value
      t.equal(await value(), true)
      t.equal((await portal(['flag', 'disable', 'switch'], { env })).code, 0)
      t.equal(await value(), false)
      t.equal((await portal(['refresh'], { env })).code, 0)
      t.equal(await value(), false)
    }
  )
}
