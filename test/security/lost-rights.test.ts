import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { revokeSession } from '../../src/domain/sessions/revocation.ts'
import { actorOf } from '../support/actors.ts'
import { aCaller, aUser, operator, ownApp, until } from '../support/app.ts'
import { openSlow, portOf } from '../support/raw-requests.ts'

const app = await ownApp(t)
t.test('an actor whose session has ended when the write begins is rejected', async (t) => {
  const { db } = app
  const admin = await aUser(app.database)
  await grantRole(db, operator, { userId: admin.id, role: 'admin' })
  const target = await aUser(app.database)
  const rename = (actor: Actor) =>
    updateUser({ db, mail: undefined }, actor, { id: target.id, changes: { name: 'x' } })
  const rejected = { code: 'unauthenticated' }
  for (const ending of [{ revokedAt: sql`now()` }, { expiresAt: sql`now()` }]) {
    const actor = await actorOf(app.database, admin)
    await rename(actor)
    await db
      .update(sessions)
      .set(ending)
      .where(eq(sessions.id, actor.sessionId ?? ''))
    await t.rejects(rename(actor), rejected)
  }
  const [own, others] = [await actorOf(app.database, target), await actorOf(app.database, admin)]
  await t.rejects(
    rename({ ...others, sessionId: own.sessionId }),
    rejected,
    'the session of another user'
  )
})

t.test('a change whose session is revoked between headers and body is rejected', async (t) => {
  const admin = await aCaller(app, 'admin')
  const target = await aUser(app.database)
  const { id } = (await admin.call('GET', '/api/auth/me')).json().session
  await app.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify({ password: 'a better horse battery' })
  const { socket, received, closed } = openSlow(
    portOf(app),
    [
      `PUT /api/admin/users/${target.id}/password HTTP/1.1`,
      'Host: localhost',
      `Cookie: ${admin.cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
      '',
      ''
    ].join('\r\n')
  )
  await until(() => received().startsWith('HTTP/1.1 100')) // the headers have been checked
  await revokeSession(app.db, operator, { id })
  socket.write(body)
  await closed
  t.match(received(), /HTTP\/1\.1 401/)
})
