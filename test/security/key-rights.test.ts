import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { apiKeys } from '../../db/schema/api-keys.ts'
import { createPermission, deletePermission } from '../../src/domain/access/custom-permissions.ts'
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole
} from '../../src/domain/access/memberships.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { createRole, updateRole } from '../../src/domain/access/roles.ts'
import { updateUser } from '../../src/domain/administration/update.ts'
import { createServiceKey } from '../../src/domain/machines/new-keys.ts'
import { revokeKey } from '../../src/domain/machines/revocation.ts'
import { grantServiceRole, revokeServiceRole } from '../../src/domain/machines/service-roles.ts'
import { createService, deleteService, updateService } from '../../src/domain/machines/services.ts'
import { newKey } from '../../src/domain/keys/key-texts.ts'
import { aUser, onPglite, operator, testApp, testDatabaseUrl, until } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'

// After each of many random changes by one server or a command, the other one is asked at once what
// a key may do: what its owner may do now, limited to its list. `npm run check -- freshness` does
// 10,000.
const rounds = Number(process.env.FRESHNESS_ROUNDS ?? 60)

const url = await testDatabaseUrl(t)
// It is asked with keys of deactivated owners all the time, which count as unknown ones.
const unlimited = { THROTTLE_UNKNOWN_KEYS: { burst: 1_000_000, seconds: 1 } }
const one = await testApp(t, unlimited, await openDatabase(url, { poolMax: 5 }))
// PGlite allows one process only, so there it is the same server.
const two = onPglite ? one : await testApp(t, unlimited, await openDatabase(url, { poolMax: 5 }))
const command = onPglite ? one.database : await openDatabase(url, { poolMax: 2 })
t.teardown(() => command.close())

/** A generator that the seed alone decides (mulberry32), so that a failure can be repeated. */
function randomNumbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface Role {
  permissions: Set<string>
  second: boolean
}
interface Owner {
  type: 'user' | 'service'
  id: string
  /** Key of a service. */
  name: string
  active: boolean
  roles: Set<string>
}
interface Key {
  id: string
  secret: string
  owner: Owner
  list: Set<string> | undefined
  assurance: 1 | 2
}

const seed = Number(process.env.KEY_SEED ?? Date.now() % 100_000)
const below = randomNumbers(seed)
const pick = <T>(list: Iterable<T>): T => {
  const all = [...list]
  const found = all[below(all.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}
let names = 0

const permissions = new Set<string>()
const roles = new Map<string, Role>()
const owners: Owner[] = []
const keys: Key[] = []

/** The rule, in other words than those of the portal. */
function expected({ owner, list, assurance }: Key): string[] | 'refused' {
  if (!owner.active) return 'refused'
  const has = new Set<string>()
  for (const name of owner.roles) {
    const role = roles.get(name)
    if (!role || (role.second && (owner.type === 'service' || assurance === 1))) continue
    for (const permission of role.permissions) has.add(permission)
  }
  return [...has].filter((each) => !list || list.has(each)).sort()
}

async function found({ secret }: Key): Promise<string[] | 'refused'> {
  // 503 on a busy machine is neither a yes nor a no.
  const response = await until(async () => {
    const answer = await keyCaller(two, secret).me()
    return answer.statusCode === 503 ? undefined : answer
  })
  return response.statusCode === 401 ? 'refused' : (response.json().permissions as string[])
}

/** Where the change happens. */
const database = () => pick([one.db, command.db])

async function addPermission() {
  const key = `thing-${names++}:read`
  await createPermission(database(), operator, { key })
  permissions.add(key)
}
async function addRole() {
  const key = `role-${names++}`
  await createRole(database(), operator, { key, name: key, permissions: [] })
  roles.set(key, { permissions: new Set(), second: false })
}
async function addOwner() {
  if (below(2) === 0) {
    const { id } = await aUser({ ...one.database })
    await revokeRole(one.db, operator, { userId: id, role: 'user' })
    owners.push({ type: 'user', id, name: '', active: true, roles: new Set() })
    return
  }
  const key = `service-${names++}`
  const { id } = await createService(database(), operator, { key, name: key })
  owners.push({ type: 'service', id, name: key, active: true, roles: new Set() })
}
async function addKey(owner = pick(owners)) {
  const list = below(2) === 0 ? undefined : new Set([pick(permissions), pick(permissions)])
  if (owner.type === 'service') {
    // Its list is written afterwards: a key cannot be created with what its owner lacks.
    const created = await createServiceKey(database(), operator, {
      service: owner.name,
      name: 'A key'
    })
    if (list) {
      await one.db
        .update(apiKeys)
        .set({ permissions: [...list] })
        .where(eq(apiKeys.id, created.id))
    }
    keys.push({ id: created.id, secret: created.secret, owner, list, assurance: 1 })
    return
  }
  const assurance = below(2) === 0 ? 1 : 2
  const { secret, hash, lastFour } = newKey()
  const [made] = await one.db
    .insert(apiKeys)
    .values({
      id: sql`gen_random_uuid()`,
      userId: owner.id,
      name: 'A key',
      hash,
      lastFour,
      assurance,
      permissions: list ? [...list] : null,
      expiresAt: sql`now() + interval '1 day'`
    })
    .returning({ id: apiKeys.id })
  keys.push({ id: made?.id ?? '', secret, owner, list, assurance })
}

const changes: Record<string, () => Promise<unknown>> = {
  async 'a role given'() {
    const [owner, role] = [pick(owners), pick(roles.keys())]
    owner.roles.add(role)
    return owner.type === 'user'
      ? grantRole(database(), operator, { userId: owner.id, role })
      : grantServiceRole(database(), operator, { service: owner.name, role })
  },
  async 'a role taken'() {
    const [owner, role] = [pick(owners), pick(roles.keys())]
    owner.roles.delete(role)
    return owner.type === 'user'
      ? revokeRole(database(), operator, { userId: owner.id, role })
      : revokeServiceRole(database(), operator, { service: owner.name, role })
  },
  async 'a permission given'() {
    const [name, permission] = [pick(roles.keys()), pick(permissions)]
    roles.get(name)?.permissions.add(permission)
    return grantPermission(database(), operator, { role: name, permission })
  },
  async 'a permission taken'() {
    const [name, permission] = [pick(roles.keys()), pick(permissions)]
    roles.get(name)?.permissions.delete(permission)
    return revokePermission(database(), operator, { role: name, permission })
  },
  async 'a second factor required, or no longer'() {
    const [name, role] = pick(roles)
    role.second = !role.second
    const changes = { requiresSecondFactor: role.second }
    return updateRole(database(), operator, { key: name, changes })
  },
  async 'an owner deactivated, or active again'() {
    const owner = pick(owners)
    owner.active = !owner.active
    const status = owner.active ? 'active' : 'deactivated'
    const db = database()
    return owner.type === 'user'
      ? updateUser({ db, mail: undefined }, operator, { id: owner.id, changes: { status } })
      : updateService(db, operator, { key: owner.name, changes: { status } })
  },
  async 'a role deleted'() {
    if (roles.size < 4) await addRole()
    const name = pick(roles.keys())
    roles.delete(name)
    for (const owner of owners) owner.roles.delete(name)
    await deleteRole(database(), operator, { key: name })
    await addRole()
  },
  async 'a permission deleted'() {
    const permission = pick(permissions)
    permissions.delete(permission)
    for (const role of roles.values()) role.permissions.delete(permission)
    await deletePermission(database(), operator, { key: permission })
    await addPermission()
  },
  async 'a key revoked'() {
    const at = below(keys.length)
    const [gone] = keys.splice(at, 1)
    if (!gone) return
    await revokeKey(database(), operator, { id: gone.id })
    if ((await found(gone)) !== 'refused') throw new Error(`seed ${seed}: a revoked key works`)
    await addKey(gone.owner)
  },
  async 'a service deleted'() {
    const services = owners.filter(({ type }) => type === 'service')
    if (services.length < 2) return addOwner()
    const owner = pick(services)
    owner.active = false
    await deleteService(database(), operator, { key: owner.name })
    const dead = keys.filter((key) => key.owner === owner)
    for (const key of dead) {
      if ((await found(key)) !== 'refused') {
        throw new Error(`seed ${seed}: the key of a deleted service`)
      }
      keys.splice(keys.indexOf(key), 1)
    }
    owners.splice(owners.indexOf(owner), 1)
    await addOwner()
    for (let i = dead.length; i > 0; i--) await addKey(owners.at(-1))
  }
}

t.test(
  `after each of ${rounds} random changes, a key may do what its owner may now, within its list`,
  { timeout: 1_200_000 },
  async (t) => {
    for (let i = 0; i < 6; i++) await addPermission()
    for (let i = 0; i < 4; i++) await addRole()
    for (let i = 0; i < 4; i++) await addOwner()
    owners.push({
      type: 'service',
      ...(await createService(one.db, operator, { key: 'fixed', name: 'Fixed' }).then(({ id }) => ({
        id,
        name: 'fixed'
      }))),
      active: true,
      roles: new Set()
    })
    for (const owner of owners.slice()) await addKey(owner)
    const kinds = Object.keys(changes)
    const wrong: string[] = []
    let rights = 0
    for (let round = 0; round < rounds && wrong.length < 5; round++) {
      const kind = round < kinds.length ? kinds[round] : pick(kinds)
      await changes[kind ?? '']?.()
      // A changed owner mostly concerns one key; the others must not change.
      const answers = await Promise.all(keys.map(found))
      for (const [n, key] of keys.entries()) {
        const [is, should] = [answers[n], expected(key)]
        if (should !== 'refused') rights += should.length
        if (String(is) !== String(should)) {
          wrong.push(
            `seed ${seed}, round ${round}, ${kind}: ${String(is)} and not ${String(should)}`
          )
        }
      }
    }
    t.same(wrong, [])
    t.ok(rights > 0)
    t.comment(`seed ${seed}`)
  }
)

t.test('of two lists, a change of the owner reaches only what both have', async (t) => {
  const role = 'reader'
  await createRole(one.db, operator, { key: role, name: role, permissions: [] })
  await createPermission(one.db, operator, { key: 'books:read' })
  await createPermission(one.db, operator, { key: 'books:write' })
  for (const permission of ['books:read', 'books:write']) {
    await grantPermission(one.db, operator, { role, permission })
  }
  await createService(one.db, operator, { key: 'library', name: 'Library' })
  await grantServiceRole(one.db, operator, { service: 'library', role })
  const { secret } = await createServiceKey(one.db, operator, {
    service: 'library',
    name: 'A key',
    permissions: ['books:read']
  })
  const rights = async () => (await keyCaller(two, secret).me()).json().permissions
  t.same(await rights(), ['books:read'])
  await revokePermission(one.db, operator, { role, permission: 'books:write' })
  t.same(await rights(), ['books:read'])
  await revokePermission(one.db, operator, { role, permission: 'books:read' })
  t.same(await rights(), [])
  await grantPermission(one.db, operator, { role, permission: 'books:read' })
  t.same(await rights(), ['books:read'])
})
