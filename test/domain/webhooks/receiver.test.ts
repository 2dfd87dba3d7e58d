import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { users } from '../../../db/schema/users.ts'
import { bodyOf, post } from '../../../src/domain/webhooks/message.ts'
import type { EventBody } from '../../../src/domain/webhooks/message.ts'
import { newSecret, sealSecret, signedHeaders } from '../../../src/domain/webhooks/signature.ts'
import { aUser, servicesOf, testDatabase } from '../../support/app.ts'
import { root } from '../../support/root.ts'
import { aDelivery, anEndpoint } from '../../support/webhooks.ts'

const database = await testDatabase(t)
const { db } = database
const context = servicesOf(database)

/** The receiver of examples/webhook-receiver in a process of its own, and an endpoint to it. */
async function aStartedReceiver() {
  const [id, secret] = [uuid(), newSecret()]
  const child = spawn(
    process.execPath,
    [path.join(root, 'examples/webhook-receiver/receiver.js')],
    {
      env: { PORT: '0', PORTAL_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  t.teardown(() => child.kill())
  const [line] = await once(child.stdout, 'data')
  const url = /http:\S+/.exec(String(line))?.[0] ?? ''
  const sealed = sealSecret(context.sealing, id, secret)
  return { secret, endpoint: await anEndpoint(database, { id, url, secret: sealed }) }
}

t.test('the example keeps users by what it is sent, and drops what is older', async (t) => {
  const { secret, endpoint } = await aStartedReceiver()
  const url = endpoint.url ?? ''
  const user = await aUser(database)
  const known = async () => (await fetch(url)).json() as Promise<{ name: string }[]>
  const bodyFor = async (action: string) =>
    bodyOf(
      db,
      await aDelivery(database, endpoint, { action, userId: user.id })
    ) as Promise<EventBody>
  const send = async (body: EventBody) => post(context, endpoint, uuid(), body)
  const rename = (name: string, version: number) =>
    db.update(users).set({ name, version }).where(eq(users.id, user.id))

  await rename('Ada', 1)
  const first = await bodyFor('user.create')
  await rename('Ada King', 2)
  const second = await bodyFor('user.update')
  t.match(await send(second), { status: 204 })
  t.match(await known(), [{ id: user.id, email: user.email, name: 'Ada King' }])
  t.match(await send(first), { status: 204 }, 'it arrives late')
  t.match(await known(), [{ name: 'Ada King' }])

  const text = JSON.stringify(second)
  const headers = signedHeaders([secret], uuid(), text)
  const changed = text.replace('Ada King', 'Eve')
  t.equal((await fetch(url, { method: 'POST', headers, body: changed })).status, 401)
  t.equal((await fetch(url, { method: 'POST', body: text })).status, 401, 'without a signature')
  t.match(await known(), [{ name: 'Ada King' }])

  await db.delete(users).where(eq(users.id, user.id))
  const deleted = await bodyFor('user.delete')
  t.equal(deleted.data.user, undefined)
  t.match(await send(deleted), { status: 204 })
  t.same(await known(), [])
  t.match(await send(second), { status: 204 }, 'of before the deletion')
  t.same(await known(), [])
})
