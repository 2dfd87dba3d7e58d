import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { prepareUser } from '../../src/domain/administration/import-lines.ts'
import { importUsers, readRoleIds } from '../../src/domain/administration/import.ts'
import { sha256 } from '../../src/domain/crypto.ts'
import { retryAllMail } from '../../src/domain/outbox/list.ts'
import { startMailServer } from '../mail/server.ts'
import { onPglite, operator, servicesOf, testDatabaseUrl, until } from '../support/app.ts'
import { shared, startInstance } from './instances.ts'
import { caller } from './people.ts'

const kills = Number(process.env.KILLS ?? 50)
const people = Number(process.env.MAILS ?? 2000)

t.test(
  `${people} people ask for a link while instances are killed ${kills} times: every mail arrives`,
  { skip: onPglite && 'several processes' },
  async (t) => {
    const DATABASE_URL = await testDatabaseUrl(t)
    const { db, close: closeDatabase } = await openDatabase(DATABASE_URL, { poolMax: 5 })
    t.teardown(closeDatabase)
    const emails = await addPeople(db, people)

    const server = await startMailServer(t)
    let refused = 0
    server.play = (stage) => {
      // A message that has arrived and is not answered yet is what a dying process sends again.
      if (stage === 'kept') return sleep(randomInt(200))
      const refusing = ['mail', 'rcpt', 'data'].includes(stage) && Math.random() < 1 / 30
      if (refusing) refused++
      return refusing ? 451 : undefined
    }
    const start = async () => {
      const instance = await startInstance(t, {
        DATABASE_URL,
        MAIL_URL: server.url,
        MAIL_FROM: 'Portal <portal@example.com>',
        ACCOUNT_URL: `${shared.PUBLIC_ORIGIN}/account`
      })
      return instance.ready()
    }
    const instances = await Promise.all([start(), start(), start()])
    const asked = await askWhileKilling(t, { emails, instances, start })

    await until(async () => {
      // An operator does this once the mail server is repaired. Leases of processes that died take
      // their minute.
      await retryAllMail(db, operator, { state: 'pending' })
      return (await db.$count(outbox, eq(outbox.state, 'pending'))) === 0
    })
    const rows = await db
      .select({ id: outbox.id, state: outbox.state, lastError: outbox.lastError })
      .from(outbox)
    t.same(new Set(rows.map(({ state }) => state)), new Set(['sent']), 'none is dead or dropped')

    const ids = new Set(rows.map(({ id }) => `<${id}@localhost>`))
    const arrived = server.mails.map(({ to, mail }) => ({
      id: mail.messageId ?? '',
      to: to.join(),
      token: /token=([\w-]{43})\b/.exec(mail.text ?? '')?.[1] ?? ''
    }))
    const first = new Map(arrived.map((mail) => [mail.id, mail]))
    t.same(new Set(first.keys()), ids, 'every mail arrived, and no other')
    t.same(
      arrived.filter(({ id, to, token }) => {
        const one = first.get(id)
        return one?.to !== to || one.token !== token
      }),
      [],
      'a duplicate goes to the same address, with the same link'
    )
    const received = new Map<string, number>()
    for (const { to } of first.values()) received.set(to, (received.get(to) ?? 0) + 1)
    t.same(
      emails.filter((email) => {
        const count = received.get(email) ?? 0
        return count < 1 || count > (asked.get(email) ?? 0)
      }),
      [],
      'a mail for each person whose request was acknowledged, at most one for each request'
    )
    const stored = await db.select({ hash: tokens.hash }).from(tokens)
    const good = new Set(stored.map(({ hash }) => Buffer.from(hash).toString('hex')))
    t.ok(
      arrived.every(({ token }) => good.has(sha256(token).toString('hex'))),
      'every link is good'
    )

    const abandoned = rows.filter(({ lastError }) => lastError?.startsWith('abandoned')).length
    t.ok(abandoned > 0, 'deliveries were under way when instances were killed')
    t.comment(
      `${rows.length} mails, ${server.mails.length - rows.length} duplicates with the same ` +
        `Message-ID, ${abandoned} delivered after their process was killed, ${refused} refusals`
    )
  }
)

type Instance = Awaited<ReturnType<typeof startInstance>>

/**
 * Lets every person ask until the request is acknowledged, while instances are killed and replaced
 * at random. Returns how often each has asked.
 */
async function askWhileKilling(
  t: Test,
  {
    emails,
    instances,
    start
  }: { emails: string[]; instances: Instance[]; start: () => Promise<Instance> }
) {
  const asked = new Map<string, number>()
  const { call, close } = caller(() => instances[randomInt(instances.length)]?.port ?? 0)
  t.teardown(close)
  const ask = async (email: string) => {
    for (let status = 0; status !== 202;) {
      asked.set(email, (asked.get(email) ?? 0) + 1)
      const answer = await call('POST', '/api/auth/recovery', { body: { email } }).catch(
        () => undefined
      )
      status = answer?.status ?? 0
      if (status !== 202) await sleep(100)
    }
  }
  for (let kill = 0; kill < kills; kill++) {
    const [from, to] = [kill, kill + 1].map((n) => Math.round((n * emails.length) / kills))
    const asking = Promise.all(emails.slice(from, to).map(ask))
    await sleep(randomInt(2000))
    const place = randomInt(instances.length)
    instances[place]?.process.kill('SIGKILL')
    await instances[place]?.exit
    instances[place] = await start()
    await asking
  }
  return asked
}

async function addPeople(db: Db, count: number) {
  const emails = Array.from({ length: count }, () => `${randomUUID()}@example.com`)
  const roles = await readRoleIds(db)
  for (let i = 0; i < count; i += 500) {
    const batch = emails.slice(i, i + 500)
    const users = batch.map((email) =>
      prepareUser({ email, name: 'Ada' }, { roles, providerOf: () => undefined })
    )
    await importUsers(db, operator, { users, roles, sealing: servicesOf({ db }).sealing })
  }
  return emails
}
