import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { createPermission, deletePermission } from '../../src/domain/access/custom-permissions.ts'
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole
} from '../../src/domain/access/memberships.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { createRole, updateRole } from '../../src/domain/access/roles.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { newKey } from '../../src/domain/keys/key-form.ts'
import { createServiceKey } from '../../src/domain/services/key-creation.ts'
import { revokeKey } from '../../src/domain/services/key-revocation.ts'
import {
  createService,
  deleteService,
  grantServiceRole,
  revokeServiceRole,
  updateService
} from '../../src/domain/services/services.ts'
import { aUser, operator } from '../support/app.ts'

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
  /** Whether a user has an authenticator app. */
  hasFactor: boolean
  roles: Set<string>
}
export interface Key {
  id: string
  secret: string
  owner: Owner
  list: Set<string> | undefined
  assurance: 1 | 2
}

/** Asks an instance what a key may do. */
type Ask = (key: Key) => Promise<string[] | 'refused'>

/**
 * Models the rights of keys, and changes of them: each changes the database and the model alike.
 * @param seed decides all changes
 */
export function createModel(
  { one, command, found }: { one: Database; command: Database; found: Ask },
  seed: number
) {
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
    const isStrong = owner.hasFactor && assurance === 2
    const has = new Set<string>()
    for (const name of owner.roles) {
      const role = roles.get(name)
      if (!role || (role.second && !isStrong)) continue
      for (const permission of role.permissions) has.add(permission)
    }
    return [...has].filter((each) => !list || list.has(each)).sort()
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
      const { id } = await aUser(one)
      await revokeRole(one.db, operator, { userId: id, role: 'user' })
      const hasFactor = below(2) === 0
      if (hasFactor) {
        const secret = randomBytes(32)
        await one.db.insert(totp).values({ userId: id, secret, confirmedAt: sql`now()` })
      }
      owners.push({ type: 'user', id, name: '', active: true, hasFactor, roles: new Set() })
      return
    }
    const key = `service-${names++}`
    const { id } = await createService(database(), operator, { key, name: key })
    owners.push({
      type: 'service',
      id,
      name: key,
      active: true,
      hasFactor: false,
      roles: new Set()
    })
  }
  const someList = () =>
    below(2) === 0 ? undefined : new Set([pick(permissions), pick(permissions)])
  async function addKey(owner = pick(owners), list = someList()) {
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

  function giveRole(owner = pick(owners), role = pick(roles.keys())) {
    owner.roles.add(role)
    return owner.type === 'user'
      ? grantRole(database(), operator, { userId: owner.id, role })
      : grantServiceRole(database(), operator, { service: owner.name, role })
  }
  function givePermission(role = pick(roles.keys()), permission = pick(permissions)) {
    roles.get(role)?.permissions.add(permission)
    return grantPermission(database(), operator, { role, permission })
  }

  /** Whatever the seed, there are rights to lose: each owner has a role, and each role a permission. */
  async function begin() {
    for (let i = 0; i < 6; i++) await addPermission()
    for (let i = 0; i < 4; i++) await addRole()
    for (let i = 0; i < 4; i++) await addOwner()
    const { id } = await createService(one.db, operator, { key: 'fixed', name: 'Fixed' })
    owners.push({
      type: 'service',
      id,
      name: 'fixed',
      active: true,
      hasFactor: false,
      roles: new Set()
    })
    for (const role of roles.keys()) await givePermission(role)
    for (const owner of owners) {
      await giveRole(owner)
      await addKey(owner)
    }
    await addKey(owners.at(-1), new Set(permissions))
  }

  const changes: Record<string, () => Promise<unknown>> = {
    'a role given': () => giveRole(),
    async 'a role taken'() {
      const [owner, role] = [pick(owners), pick(roles.keys())]
      owner.roles.delete(role)
      return owner.type === 'user'
        ? revokeRole(database(), operator, { userId: owner.id, role })
        : revokeServiceRole(database(), operator, { service: owner.name, role })
    },
    'a permission given': () => givePermission(),
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
  return { keys, expected, changes, pick, begin }
}
