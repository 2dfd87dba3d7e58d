import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import type { EndpointRow } from '../../db/schema/webhooks.ts'
import { deliveries, webhookEndpoints } from '../../db/schema/webhooks.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { appFolder } from '../support/app-folder.ts'
import { aDelivery, anEndpoint, aReceiver, publicUrl } from '../support/webhooks.ts'
import { runner, visitor } from './run.ts'

const DATABASE_URL = await testDatabaseUrl(t)
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64url')}`
const env = { DATABASE_URL, SECRET_KEYS, NODE_ENV: 'development' }
const { run, ok, json } = runner(env)
const visit = visitor(DATABASE_URL)
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=\n$/

t.test('a webhook is created, tested, changed, renewed and deleted', async (t) => {
  let status = 204
  const { url, received } = await aReceiver(t, () => status)
  const created = await ok(t, `webhook create ${url} --events user.*,session.revoke`)
  t.match(created.stdout, secretForm, 'stdout has the secret alone')
  const secret = created.stdout.trim()
  t.notMatch(created.stderr, secret)
  const [listed] = json(await ok(t, 'webhook list --json'))
  const { id } = listed
  t.match(listed, { url, events: ['user.*', 'session.revoke'], state: 'active' })
  t.match((await ok(t, `webhook show ${id}`)).stdout, /user\.\* session\.revoke/)

  t.match(await ok(t, `webhook test ${id}`), { stderr: /accepted it with 204/ })
  const [{ headers, body } = { headers: {}, body: '' }] = received
  t.match(new Webhook(secret).verify(body, headers as Record<string, string>), {
    type: 'webhook.test'
  })
  status = 500
  t.match(await run(`webhook test ${id}`), { code: 1, stderr: /not accepted: status-500/ })

  t.match(json(await ok(t, `webhook update ${id} --events * --json`)), { url, events: ['*'] })
  t.match(json(await ok(t, `webhook pause ${id} --json`)), { state: 'paused' })
  t.match(json(await ok(t, `webhook resume ${id} --json`)), { state: 'active' })
  const renewed = await ok(t, `webhook renew-secret ${id}`)
  t.match(renewed.stdout, secretForm)
  t.not(renewed.stdout.trim(), secret)
  t.match(await run(`webhook delete ${id}`), { code: 2, stderr: /add --yes/ })
  await ok(t, `webhook delete ${id} --yes`)
  t.match(await run(`webhook show ${id}`), { code: 3 })
})

t.test('with --json, the secret comes with the webhook', async (t) => {
  const created = json(await ok(t, `webhook create ${publicUrl} --events user.* --json`))
  t.match(created, { url: publicUrl, events: ['user.*'], secret: /^whsec_/ })
  t.notOk('version' in created)
  await ok(t, `webhook delete ${created.id} --yes`)
})

t.test('a webhook that cannot be is refused', async (t) => {
  const refused = async (args: string, code: number, stderr: RegExp) =>
    t.match(await run(args), { code, stderr }, args)
  await refused('webhook create https://10.0.0.1/ --events user.*', 2, /url.*WEBHOOK_NETWORKS/s)
  await refused(`webhook create ${publicUrl} --events user.created`, 2, /events.*user\.create/s)
  await refused(`webhook create ${publicUrl}`, 2, /--events/)
  await refused('webhook show crm', 2, /portal webhook list/)
  await refused('webhook resend 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', 2, /--since/)
})

t.test('actions of an app are known with --app', async (t) => {
  const folder = appFolder(t, {
    'portal.js':
      "import { defineApp } from 'portal'\n" +
      "export default defineApp({ actions: { 'parcel.send': { when: 'a parcel is sent' } } })\n"
  })
  const create = `webhook create ${publicUrl} --events parcel.*`
  t.match(await run(create), { code: 2 })
  await ok(t, `${create} --app ${folder}`)
  await visit(({ db }) => db.delete(webhookEndpoints))
})

t.test('deliveries are listed, shown and sent again', async (t) => {
  const [found, dead] = await visit(async (database) => {
    const endpoint = await anEndpoint(database)
    const done = {
      state: 'dead',
      doneAt: new Date(),
      lastStatus: 500,
      lastError: 'status-500'
    } as const
    return [endpoint, await aDelivery(database, endpoint, { ...done, attempts: 8 })] as const
  })
  t.match((await ok(t, `webhook deliveries ${found.id}`)).stdout, /admin\.bootstrap +dead +8 +500/)
  t.same(json(await ok(t, `webhook deliveries ${found.id} --state pending --json`)), [])
  const shown = json(await ok(t, `webhook delivery ${found.id} ${dead.id} --json`))
  t.match(shown, { id: dead.id, body: { type: 'admin.bootstrap', data: { id: dead.eventId } } })
  const state = async () =>
    visit(async ({ db }) => {
      const [row] = await db.select().from(deliveries).where(eq(deliveries.id, dead.id))
      return row?.state
    })
  t.match(json(await ok(t, `webhook resend ${found.id} --since 1h --json`)), { count: 1 })
  t.equal(await state(), 'pending')
  t.match(await ok(t, `webhook resend ${found.id} --since 1h`), { stderr: /0 events/ })
  t.match(await ok(t, `webhook resend ${found.id} ${dead.id}`), { stderr: /1 event will/ })
})

t.test(
  'doctor finds webhooks that fail or are paused, and deletions that none hears',
  async (t) => {
    const found = async () => {
      const findings = json(await run('doctor --json')) as { check: string; finding: string }[]
      return findings.filter(({ check }) => check === 'webhooks')
    }
    const replace = (...all: Partial<EndpointRow>[]) =>
      visit(async (database) => {
        await database.db.delete(webhookEndpoints)
        for (const each of all) await anEndpoint(database, each)
      })
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000)
    await replace()
    t.same(await found(), [], 'without webhooks nothing is said')
    const [state, events] = ['active' as const, ['user.*']]
    await replace({ state, events }, { state, failingSince: hours(0.5) })
    t.match(await found(), [{ result: 'ok', finding: /^2 active, and none fails/ }])
    await replace(
      { state, events, url: 'https://crm.example.com/a', failingSince: hours(2) },
      { state: 'paused', url: 'https://crm.example.com/b' }
    )
    t.match(await found(), [
      { result: 'warning', finding: /crm\.example\.com\/a has failed since/, todo: /deliveries/ },
      { result: 'warning', finding: /crm\.example\.com\/b is paused/, todo: /webhook resume/ }
    ])
    await replace({ state, events: ['user.create', 'auth.*'] })
    t.match(await found(), [{ result: 'warning', finding: /none gets user\.delete/ }])
  }
)
