import postgres from 'postgres'
import t from 'tap'
import { portalProcess } from '../cli/run.ts'
import { startMailServer } from '../mail/server.ts'
import { shared } from '../resilience/instances.ts'
import { failuresOf, people } from '../resilience/people.ts'
import { onPglite, until } from '../support/app.ts'
import { emptyDatabaseUrl } from '../support/empty-database.ts'
import { tokenIn } from '../support/mails.ts'
import { tellProgress } from '../support/progress.ts'
import { built } from '../support/root.ts'
import { startFleet } from './fleet.ts'
import { previousBuild } from './previous-build.ts'
import { assertDeliveries, rememberRows, waitingMail } from './stored.ts'
import { asked } from './factors.ts'
import { arrive, flag, userLines, visit } from './visitors.ts'

// `npm run check -- upgrade`: docs/do/upgrade.md, and the way back. It begins with the version
// before, or with UPGRADE_FROM=COMMIT.

t.test(
  'two instances of the previous version are upgraded under load, and back: no request fails, nothing is lost',
  { skip: onPglite && 'several processes' },
  async (t) => {
    const previous = await previousBuild(t)
    t.comment(`from ${previous.name}`)
    const server = await startMailServer(t)
    server.play = (stage) => (stage === 'mail' ? 451 : undefined)
    const env = {
      ...shared,
      DATABASE_URL: await emptyDatabaseUrl(t),
      MAIL_URL: server.url,
      MAIL_FROM: 'Portal <portal@example.com>',
      ACCOUNT_URL: `${shared.PUBLIC_ORIGIN}/account`,
      EMAIL_VERIFICATION: 'optional',
      SHUTDOWN_DELAY_SECONDS: '1'
    }
    const portal = async (build: string, args: string, input = '') => {
      const { code, stderr } = await portalProcess(args.split(' '), { env, build, input })
      t.equal(code, 0, `portal ${args}: ${stderr}`)
    }

    await portal(previous.build, 'migrate')
    await portal(previous.build, 'role create support users:read --name Support')
    await portal(previous.build, 'import users -', await userLines())
    await portal(previous.build, 'flag create --file -', JSON.stringify(flag))
    await portal(previous.build, 'user reset-link user-150@example.com')
    const { call, calls, replace } = await startFleet(t, env, previous.build)

    const repairMail = async () => {
      server.play = () => undefined
      await portal(built, 'mail retry --pending')
    }
    const steps: [name: string, work: () => Promise<unknown>][] = [
      ['the previous version', async () => {}],
      ['the schema is new', () => portal(built, 'migrate')],
      ['the first instance is new', () => replace(0, built)],
      ['mail is delivered again', repairMail],
      ['both instances are new', () => replace(1, built)],
      ['the first instance is back', () => replace(0, previous.build)],
      ['both instances are back', () => replace(1, previous.build)]
    ]
    const visitors = await arrive(call, steps.length)
    t.same(new Set(visitors.flags), new Set([true, false]), 'the flag distinguishes users')
    const sql = postgres(env.DATABASE_URL, { max: 1, onnotice: () => {} })
    t.teardown(() => sql.end())
    const { counts, lost } = await rememberRows(sql)
    t.comment(`stored before: ${JSON.stringify(counts)}`)
    t.notOk(Object.values(counts).includes(0), 'no table is empty')
    const waited = await waitingMail(sql)
    t.ok(waited.length >= 10 && server.mails.length === 0, 'mail waits')

    const crowd = people(call, 6)
    t.teardown(() => crowd.stop())
    const total = () => Object.values(crowd.tally).reduce((sum, count) => sum + count, 0)
    for (const [number, [name, work]] of steps.entries()) {
      await work()
      const before = total()
      await until(async () => {
        await confirmAddresses(sql)
        return total() > before + 200
      })
      t.same(failuresOf(crowd.tally), {}, `${name}: failed requests`)
      await visit(visitors, calls, number)
      t.same(await lost(), [], `${name}: lost rows`)
      tellProgress(`${name}: ${total()} requests`)
    }
    await crowd.stop()
    t.comment(`${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`)
    t.same(failuresOf(crowd.tally), {})
    t.same(await crowd.missing(call), [])

    await assertDeliveries(t, sql, { waited, server })
    const mail = server.mails.find(({ to }) => to.includes(visitors.forgetful))?.mail
    const body = { token: tokenIn(mail?.text), newPassword: 'a different horse battery' }
    await asked(call('POST', '/api/auth/recovery/confirm', { body }), 204)
  }
)

/** Stands for the people who open their mail: otherwise newcomers would have to solve challenges. */
async function confirmAddresses(sql: postgres.Sql) {
  const [{ known } = { known: false }] = await sql<{ known: boolean }[]>`
    select to_regclass('confirmation_mails') is not null as known`
  if (known) {
    await sql`update confirmation_mails set confirmed_at = now() where confirmed_at is null`
  }
}
