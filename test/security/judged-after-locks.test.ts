import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../db/engine.ts'
import { userRoles } from '../../db/schema/roles.ts'
import {
  createPermission,
  deletePermission,
  updatePermission
} from '../../src/domain/access/custom-permissions.ts'
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole
} from '../../src/domain/access/memberships.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { createRole, updateRole } from '../../src/domain/access/roles.ts'
import type { SignedInActor } from '../../src/domain/actor.ts'
import { createUser, deleteUser, updateUser } from '../../src/domain/administration/users.ts'
import {
  removeUserPasskey,
  removeUserTotp,
  resetSecondFactor
} from '../../src/domain/administration/factor-removal.ts'
import { setPassword } from '../../src/domain/administration/operator-links.ts'
import { createFlag, deleteFlag, updateFlag } from '../../src/domain/flags/flags.ts'
import { restoreFlag, restoreSegment } from '../../src/domain/flags/restore.ts'
import { createSegment, deleteSegment, updateSegment } from '../../src/domain/flags/segments.ts'
import { revokeUserSessions } from '../../src/domain/sessions/revocation.ts'
import { changeSettings } from '../../src/domain/settings/settings.ts'
import { compileSettings } from '../../src/http/settings-rules.ts'
import { actorOf } from '../support/actors.ts'
import { aUser, onPglite, operator, servicesOf, testDatabase, until } from '../support/app.ts'
import { aFlag } from '../support/flags.ts'
import { waitingForLocks } from '../support/locks.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { serverIsolation } from '../support/test-server.ts'

// A change that waits for a row while its actor loses the permission must not happen: the
// permission is checked after the lock.

const skip =
  (onPglite && 'it has one connection') ||
  (serverIsolation && 'a transaction on a snapshot judges by the state before the wait')

interface Subject {
  db: Db
  actor: SignedInActor
  /** Id of another user. */
  id: string
}
type Change = (subject: Subject) => Promise<unknown>

const user = ({ id }: Subject) => sql`select from users where id = ${id} for update`
const role = (key: string) => () => sql`select from roles where key = ${key} for update`
const permission = () => sql`select from permissions where key = 'invoices:read' for update`
const context = (db: Db) => ({ ...servicesOf({ db }), mail: undefined })

const [flag, deleted, kept] = [aFlag(), aFlag(), aFlag()]
const pilots = { key: 'pilots', when: { users: ['ann'] } }
const former = { key: 'former', when: { users: ['ann'] } }
const segment = () => sql`select from segments where key = 'pilots' for update`
const newSegment = (key: string) => () =>
  sql`insert into segments (key, conditions) values (${key}, '{"users": ["bob"]}')`
/** Others wait for a row that is not committed, also if it is deleted again. */
const addressInUse = () => [
  sql`insert into users (id, email, email_normalized, name)
    values (gen_random_uuid(), 'eve@example.com', 'eve@example.com', 'Eve')`,
  sql`delete from users where email_normalized = 'eve@example.com'`
]

const changes: [name: string, locked: (subject: Subject) => SQL | SQL[], change: Change][] = [
  ['grant a role', user, ({ db, actor, id }) => grantRole(db, actor, { userId: id, role: 'team' })],
  [
    'revoke a role',
    user,
    ({ db, actor, id }) => revokeRole(db, actor, { userId: id, role: 'user' })
  ],
  [
    'change a user',
    user,
    ({ db, actor, id }) => updateUser(context(db), actor, { id, changes: { name: 'Eve' } })
  ],
  [
    "change a user's address",
    addressInUse,
    ({ db, actor, id }) =>
      updateUser(context(db), actor, { id, changes: { email: 'eve@example.com' } })
  ],
  [
    'set a password',
    user,
    ({ db, actor, id }) =>
      setPassword(context(db), actor, { userId: id, password: 'a better horse battery' })
  ],
  [
    'reset second factors',
    user,
    ({ db, actor, id }) => resetSecondFactor(context(db), actor, { userId: id })
  ],
  [
    'remove an authenticator app',
    user,
    ({ db, actor, id }) => removeUserTotp(context(db), actor, { userId: id })
  ],
  [
    'remove a passkey',
    user,
    ({ db, actor, id }) =>
      removeUserPasskey(context(db), actor, { userId: id, passkeyId: randomUUID() })
  ],
  ['revoke sessions', user, ({ db, actor, id }) => revokeUserSessions(db, actor, { userId: id })],
  ['delete a user', user, ({ db, actor, id }) => deleteUser(context(db), actor, { id })],
  [
    'create a user',
    role('user'),
    ({ db, actor }) => createUser(context(db), actor, { email: 'eve@example.com', name: 'Eve' })
  ],
  [
    'create a role',
    permission,
    ({ db, actor }) =>
      createRole(db, actor, { key: 'crew', name: 'Crew', permissions: ['invoices:read'] })
  ],
  [
    'change a role',
    role('team'),
    ({ db, actor }) => updateRole(db, actor, { key: 'team', changes: { name: 'Eve' } })
  ],
  ['delete a role', role('team'), ({ db, actor }) => deleteRole(db, actor, { key: 'team' })],
  [
    'grant a permission',
    role('team'),
    ({ db, actor }) => grantPermission(db, actor, { role: 'team', permission: 'users:read' })
  ],
  [
    'revoke a permission',
    role('team'),
    ({ db, actor }) => revokePermission(db, actor, { role: 'team', permission: 'invoices:read' })
  ],
  [
    'create a permission',
    role('admin'),
    ({ db, actor }) => createPermission(db, actor, { key: 'invoices:write' })
  ],
  [
    'change a permission',
    permission,
    ({ db, actor }) =>
      updatePermission(db, actor, { key: 'invoices:read', changes: { description: 'Eve' } })
  ],
  [
    'change the settings of a user',
    ({ id }) => [
      sql`insert into user_settings (user_id, part) values (${id}, 'app')`,
      sql`select from user_settings where user_id = ${id} for update`
    ],
    async ({ db, actor, id }) =>
      changeSettings({ db, settings: await compileSettings(settingsOf(t, schemaFile)) }, actor, {
        userId: id,
        part: 'app',
        permission: 'users:update',
        change: { patch: { plan: 'pro' } }
      })
  ],
  [
    'create a flag',
    () => sql`insert into feature_flags
        (key, type, state, variants, default_variant, off_variant, rules, public)
      values (${flag.key}, 'boolean', 'enabled', '{"on": true}', 'on', 'on', '[]', false)`,
    ({ db, actor }) => createFlag(db, actor, flag)
  ],
  [
    'restore a deleted flag',
    () => sql`insert into feature_flags
        (key, type, state, variants, default_variant, off_variant, rules, public)
      values (${deleted.key}, 'boolean', 'enabled', '{"on": true}', 'on', 'on', '[]', false)`,
    ({ db, actor }) => restoreFlag(db, actor, { key: deleted.key, version: 1 })
  ],
  [
    'change the rules of a flag, which name a segment',
    segment,
    ({ db, actor }) => {
      const rules = [{ when: { segmentsAny: ['pilots'] }, serve: { variant: 'on' } }]
      return updateFlag(db, actor, { key: kept.key, changes: { rules } })
    }
  ],
  [
    'create a segment',
    newSegment('crew'),
    ({ db, actor }) => createSegment(db, actor, { ...pilots, key: 'crew' })
  ],
  [
    'change a segment',
    segment,
    ({ db, actor }) => updateSegment(db, actor, { key: 'pilots', changes: { description: 'Eve' } })
  ],
  ['delete a segment', segment, ({ db, actor }) => deleteSegment(db, actor, { key: 'pilots' })],
  [
    'restore a deleted segment',
    newSegment('former'),
    ({ db, actor }) => restoreSegment(db, actor, { key: 'former', version: 1 })
  ],
  [
    'delete a permission',
    permission,
    ({ db, actor }) => deletePermission(db, actor, { key: 'invoices:read' })
  ]
]

const database = await testDatabase(t)
const { db } = database
await createPermission(db, operator, { key: 'invoices:read' })
await createRole(db, operator, { key: 'team', name: 'Team', permissions: ['invoices:read'] })
await createFlag(db, operator, deleted)
await deleteFlag(db, operator, deleted)
await createFlag(db, operator, kept)
for (const each of [pilots, former]) await createSegment(db, operator, each)
await deleteSegment(db, operator, former)

// They share the database, because none of the changes happens.
for (const [name, locked, change] of changes) {
  t.test(
    `an actor who loses the permission while waiting for a lock cannot ${name}`,
    { skip },
    async (t) => {
      const account = await aUser(database)
      await grantRole(db, operator, { userId: account.id, role: 'admin' })
      const actor = await actorOf(database, account)
      const subject = { db, actor, id: (await aUser(database)).id }
      let changed: Promise<unknown> | undefined
      await db.transaction(async (tx) => {
        for (const statement of [locked(subject)].flat()) await tx.execute(statement)
        changed = change(subject).catch((error: unknown) => error)
        await until(async () => (await waitingForLocks(db)) > 0)
        await tx.delete(userRoles).where(eq(userRoles.userId, account.id))
      })
      t.match(await changed, { code: 'permission-denied' })
    }
  )
}
