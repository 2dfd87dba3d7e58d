import t from 'tap'
import { eq, sql } from 'drizzle-orm'
import { rolePermissions } from '../../db/schema/roles.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { createFlag, deleteFlag, updateFlag } from '../../src/domain/flags/flags.ts'
import { restoreFlag } from '../../src/domain/flags/restore.ts'
import { users } from '../../db/schema/users.ts'
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole
} from '../../src/domain/access/memberships.ts'
import { setPassword } from '../../src/domain/administration/set-password.ts'
import {
  createPermission,
  deletePermission,
  updatePermission
} from '../../src/domain/access/custom-permissions.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { createRole, updateRole } from '../../src/domain/access/roles.ts'
import { createUser } from '../../src/domain/administration/creation.ts'
import { deleteUser } from '../../src/domain/administration/deletion.ts'
import { updateOwnUser } from '../../src/domain/accounts/own-settings.ts'
import { updateUser } from '../../src/domain/administration/update.ts'
import { revokeSession, revokeUserSessions } from '../../src/domain/sessions/revocation.ts'
import { changeSettings } from '../../src/domain/settings/settings.ts'
import { compileSettings } from '../../src/http/settings-rules.ts'
import { actorOf } from '../support/actors.ts'
import {
  aCaller,
  aRole,
  aUser,
  operator,
  passwords,
  ownApp,
  testDatabase,
  until
} from '../support/app.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { openSlow, portOf } from '../support/raw-requests.ts'

const app = await ownApp(t)
const settings = await compileSettings(settingsOf(t, schemaFile))

const aFlag = (key: string) => ({
  key,
  type: 'boolean' as const,
  variants: { on: true, off: false },
  defaultVariant: 'on',
  offVariant: 'off'
})

t.test('an actor who has lost the permission when the write begins is rejected', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const fallen = await aUser(database)
  const target = await aUser(database)
  const actor = await actorOf(database, fallen)
  const { sessionId } = await actorOf(database, target)
  const role = await aRole(database, 'theme:update')
  await createPermission(db, operator, { key: 'invoices:read' })
  await createFlag(db, operator, aFlag('old'))
  await db.delete(rolePermissions).where(eq(rolePermissions.permissionKey, 'theme:update'))
  const attempts: (() => Promise<unknown>)[] = [
    () => updateOwnUser(db, actor, { theme: 'dark' }),
    () => updateUser({ db, mail: undefined }, actor, { id: target.id, changes: { name: 'x' } }),
    () => deleteUser({ db, mail: undefined }, actor, { id: target.id }),
    () => createUser({ db, passwords }, actor, { email: 'x@example.com', name: 'x' }),
    () =>
      setPassword({ db, passwords, mail: undefined }, actor, {
        userId: target.id,
        password: 'a better horse battery'
      }),
    () => grantRole(db, actor, { userId: target.id, role: 'user' }),
    () => revokeRole(db, actor, { userId: target.id, role: 'user' }),
    () => createRole(db, actor, { key: 'x', name: 'x' }),
    () => updateRole(db, actor, { key: role, changes: { name: 'x' } }),
    () => deleteRole(db, actor, { key: role }),
    () => grantPermission(db, actor, { role: 'user', permission: 'users:read' }),
    () => revokePermission(db, actor, { role: 'user', permission: 'profile:read' }),
    () => createPermission(db, actor, { key: 'invoices:write' }),
    () => updatePermission(db, actor, { key: 'invoices:read', changes: { description: 'x' } }),
    () => deletePermission(db, actor, { key: 'invoices:read' }),
    () => createFlag(db, actor, aFlag('new')),
    () => updateFlag(db, actor, { key: 'old', changes: { description: 'x' } }),
    () => deleteFlag(db, actor, { key: 'old' }),
    () => restoreFlag(db, actor, { key: 'old', version: 1 }),
    () =>
      changeSettings({ db, settings }, actor, {
        userId: target.id,
        part: 'app',
        permission: 'users:update',
        change: { patch: { plan: 'pro' } }
      }),
    () => revokeSession(db, actor, { id: sessionId }),
    () => revokeUserSessions(db, actor, { userId: target.id })
  ]
  for (const attempt of attempts) await t.rejects(attempt, { code: 'permission-denied' })
  await db.update(users).set({ status: 'deactivated' }).where(eq(users.id, fallen.id))
  for (const attempt of attempts) await t.rejects(attempt, { code: 'unauthenticated' })
})

t.test('an actor whose session has ended when the write begins is rejected', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const admin = await aUser(database)
  await grantRole(db, operator, { userId: admin.id, role: 'admin' })
  const target = await aUser(database)
  for (const ending of [{ revokedAt: sql`now()` }, { expiresAt: sql`now()` }]) {
    const actor = await actorOf(database, admin)
    await updateUser({ db, mail: undefined }, actor, {
      id: target.id,
      changes: { status: 'active' }
    })
    await db
      .update(sessions)
      .set(ending)
      .where(eq(sessions.id, actor.sessionId ?? ''))
    await t.rejects(
      updateUser({ db, mail: undefined }, actor, { id: target.id, changes: { name: 'x' } }),
      {
        code: 'unauthenticated'
      }
    )
    await t.rejects(
      setPassword({ db, passwords, mail: undefined }, actor, {
        userId: target.id,
        password: 'a better horse battery'
      }),
      {
        code: 'unauthenticated'
      }
    )
    await t.rejects(createRole(db, actor, { key: 'x', name: 'x' }), { code: 'unauthenticated' })
  }
  const [own, others] = [await actorOf(database, target), await actorOf(database, admin)]
  await t.rejects(
    updateUser(
      { db, mail: undefined },
      { ...others, sessionId: own.sessionId },
      { id: target.id, changes: { name: 'x' } }
    ),
    { code: 'unauthenticated' },
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
