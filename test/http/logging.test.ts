import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { captureLog } from '../support/log-capture.ts'
import { testDatabase } from '../support/app.ts'

t.test(
  'a failed statement is logged without its parameters and without values in the error',
  async (t) => {
    const { db } = await testDatabase(t)
    const { log, output } = captureLog()
    const error = await db
      .update(users)
      .set({ passwordHash: 'canary' })
      .where(eq(users.email, 'canary@example.com'))
      .then(
        () => undefined,
        (error: unknown) => error
      )
    t.equal(error, undefined, 'no row, no failure')
    const failed = await db
      .insert(users)
      .values({
        id: 'canary-id',
        email: 'canary@example.com',
        emailNormalized: 'canary',
        name: 'canary'
      })
      .then(
        () => undefined,
        (error: unknown) => error
      )
    log.error({ err: failed }, 'request failed')
    t.match(JSON.parse(output()), {
      level: 50,
      msg: 'request failed',
      err: { message: /^Failed query: insert into "users"/, code: '22P02', stack: /\n/ }
    })
    t.notMatch(output(), /canary/)
  }
)

t.test('fields with secret names are removed from the log', async (t) => {
  const { log, output } = captureLog()
  log.info(
    {
      password: 'canary',
      body: {
        currentPassword: 'canary',
        newPassword: 'canary',
        token: 'canary',
        secret: 'canary',
        jti: 'canary'
      },
      req: { headers: { cookie: 'canary', authorization: 'canary' } },
      res: { headers: { 'set-cookie': 'canary' } }
    },
    'x'
  )
  t.notMatch(output(), /canary/)
  t.match(JSON.parse(output()), { password: '[redacted]' })
})

t.test('input of a client cannot start a new log line', async (t) => {
  const { log, output } = captureLog()
  log.info({ path: '/a\n{"level":60,"msg":"forged"}\u001b[2J' }, 'request')
  t.equal(output().trim().split('\n').length, 1)
  t.notOk(output().includes('\u001b'))
})
