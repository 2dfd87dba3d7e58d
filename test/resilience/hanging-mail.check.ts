import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { enqueue } from '../../src/domain/outbox/enqueue.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { onPglite, temporaryFolder, testDatabaseUrl, until } from '../support/app.ts'
import { script } from '../mail/script.ts'
import { startMailServer } from '../mail/server.ts'
import type { Stage } from '../mail/server.ts'
import { built } from '../support/root.ts'
import { shared, startInstance } from './instances.ts'
import { mailingPortal } from './mailing.ts'

// These wait for the time limits of the product, all at the same time, so they want a machine to
// themselves.

const skip = onPglite && 'several processes'
const stages: Stage[] = ['greeting', 'tls', 'auth', 'mail', 'rcpt', 'data', 'kept']

t.test('no mail is lost when the mail server hangs at any stage', { skip }, async (t) => {
  const lines = { '': '220 ready' }
  const offer = { ...lines, EHLO: '250-hello\r\n250 STARTTLS' }
  await Promise.all([
    ...[lines, offer, { ...offer, STARTTLS: '220 go ahead' }].map(async (replies) => {
      const portal = await mailingPortal(t, (await script(t, replies)).url)
      await portal.recoverSomebody()
      const stage = `after ${Object.keys(replies).at(-1) ?? ''}`
      t.match(await portal.tried(), [{ state: 'pending', lastError: 'timeout' }], stage)
    }),
    ...stages.map(async (stage) => {
      const server = await startMailServer(t)
      server.play = (at) => (at === stage ? 'hang' : undefined)
      const portal = await mailingPortal(t, server.url)
      await portal.recoverSomebody()
      await until(() => server.connections > 0)
      t.equal(await portal.register(), 202, `a request while it hangs at ${stage}`)
      const [row, other] = await portal.tried()
      // Before the server hears of the mail, the try does not count.
      const attempts = ['greeting', 'tls', 'auth'].includes(stage) ? 0 : 1
      const expected = { state: 'pending', lastError: 'timeout', attempts }
      t.match([row, other], [expected, expected], stage)
      t.match(await portal.portalMail('list'), [expected, expected])
      t.ok(portal.logged().some(({ id, error }) => id === row?.id && error === 'timeout'))

      server.play = () => undefined
      for (const { id } of [row, other].filter((each) => each !== undefined)) {
        await portal.portalMail(`retry ${id}`)
      }
      await until(async () => (await portal.rows()).every(({ state }) => state === 'sent'))
      t.same(
        new Set(server.mails.map(({ mail }) => mail.messageId)),
        new Set([row, other].map((each) => `<${each?.id}@localhost>`)),
        'what arrived twice has one Message-ID'
      )
      t.equal(server.mails.length, stage === 'kept' ? 4 : 2)
    })
  ])
})

t.test('a slow mail server gets its mail', async (t) => {
  const server = await startMailServer(t)
  server.play = () => sleep(300)
  const portal = await mailingPortal(t, server.url)
  for (let i = 0; i < 6; i++) await portal.recoverSomebody()
  t.match(new Set((await portal.tried()).map(({ state }) => state)), new Set(['sent']))
  t.equal(server.mails.length, 6)
})

/** A database with a mail to send, and a server that hangs with it. */
async function aHangingDelivery(t: Test, stage: Stage) {
  const DATABASE_URL = await testDatabaseUrl(t)
  const { db, close } = await openDatabase(DATABASE_URL, { poolMax: 3 })
  t.teardown(close)
  const server = await startMailServer(t)
  let hanging = false
  server.play = (at) => {
    if (at !== stage) return undefined
    hanging = true
    return 'hang'
  }
  const [kid = '', secret = ''] = shared.SECRET_KEYS.split(':')
  const sealing = createSealing([{ kid, secret: Buffer.from(secret, 'base64url') }])
  const content = { kind: 'password-changed', at: new Date().toISOString() } as const
  const payload = { to: 'ada@example.com', reader: {}, content }
  await enqueue(db, sealing, { kind: 'password-changed', payload, expiresIn: 3600 })
  return {
    env: {
      ...shared,
      DATABASE_URL,
      MAIL_URL: server.url,
      MAIL_FROM: 'portal@example.com',
      ACCOUNT_URL: `${shared.PUBLIC_ORIGIN}/account`
    },
    server,
    rows: () => db.select().from(outbox),
    hangs: () => until(() => hanging)
  }
}

t.test(
  'a server that is stopped gives the mail back that it cannot deliver',
  { skip },
  async (t) => {
    const { env, server, rows, hangs } = await aHangingDelivery(t, 'data')
    const instance = await startInstance(t, env)
    await hangs()
    instance.process.kill('SIGTERM')
    t.equal(await instance.exit, 0)
    t.match(await rows(), [{ state: 'pending', lease: null, lastError: null, attempts: 0 }])
    t.ok(
      (await rows()).every(({ nextAt }) => nextAt.getTime() <= Date.now()),
      'due at once'
    )

    server.play = () => undefined
    await (await startInstance(t, env)).ready()
    await until(() => server.mails.length > 0)
    await until(async () => (await rows())[0]?.state === 'sent')
  }
)

t.test('closing leaves nothing open while a delivery hangs', { skip }, async (t) => {
  await Promise.all(
    (['greeting', 'tls', 'data'] as const).map(async (stage) => {
      const { env, rows, hangs } = await aHangingDelivery(t, stage)
      const child = spawn(
        process.execPath,
        [path.join(built, 'test/resilience/closing-portal.js')],
        { cwd: temporaryFolder(t), env, stdio: ['pipe', 'pipe', 'inherit'] }
      )
      t.teardown(() => child.kill('SIGKILL'))
      await hangs()
      child.stdin.write('close\n')
      for await (const text of child.stdout) if (String(text).includes('closed')) break
      const closed = performance.now()
      t.equal(child.exitCode ?? (await once(child, 'exit'))[0], 0, stage)
      t.ok(performance.now() - closed < 20_000, 'without waiting for a time limit of SMTP')
      t.match(await rows(), [{ state: 'pending', lease: null }])
    })
  )
})
