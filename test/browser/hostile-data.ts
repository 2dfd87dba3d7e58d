import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { activity } from '../../db/schema/activity.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { permissions, rolePermissions, roles, userRoles } from '../../db/schema/roles.ts'
import { passkeys } from '../../db/schema/second-factors.ts'
import { apiKeys, serviceRoles, services } from '../../db/schema/services.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { contentsOf } from '../../src/domain/outbox/enqueue.ts'
import type { SettingSchema } from '../../src/common/settings.ts'
import { samples } from '../mail/samples.ts'
import { flag, insertFlags, segment } from './hostile-flags.ts'
import { description, key, longAddress, names, wide } from './hostile-texts.ts'

const longAgent =
  `Mozilla/5.0 (<img src=x onerror=alert(1)>; ${wide(150)}) ${'Gecko '.repeat(40)}`.slice(0, 256)
const role = key(64)
const permission = `${key(39)}:${key(40)}`
const service = key(64)

/** The longest of everything, markup, and other directions of writing. Fifty of each. */
export async function fillHostile(app: FastifyInstance, userId: string) {
  const { db } = app
  const profile = {
    name: wide(80),
    email: longAddress('me'),
    emailNormalized: longAddress('me'),
    bio: wide(500),
    avatarUrl: `https://example.com/${wide(2028)}`,
    website: `https://example.com/${wide(2028)}`,
    location: wide(80),
    pronouns: wide(40),
    locale: `en-${'abcdefgh-'.repeat(3)}abcd`,
    timeZone: 'America/Argentina/ComodRivadavia'
  }
  await db
    .update(users)
    .set(profile)
    .where(sql`${users.id} = ${userId}`)
  const people = Array.from({ length: 50 }, (_, n) => ({
    ...profile,
    id: uuid(),
    name: names[n % names.length] ?? '',
    email: longAddress(`n${n}`),
    emailNormalized: longAddress(`n${n}`),
    lastLoginAt: new Date()
  }))
  await db.insert(users).values(people)
  await db.insert(permissions).values({ key: permission, description })
  const roleId = uuid()
  await db.insert(roles).values({ id: roleId, key: role, name: wide(80), description })
  const admins = await db.select({ id: roles.id }).from(roles).where(eq(roles.key, 'admin'))
  await db
    .insert(rolePermissions)
    .values(
      [{ id: roleId }, ...admins].map(({ id }) => ({ roleId: id, permissionKey: permission }))
    )
  const members = [userId, ...people.map(({ id }) => id)]
  await db.insert(userRoles).values(members.map((userId) => ({ userId, roleId })))
  await insertFlags(db, role)
  const browser = { ip: '2001:db8:ffff:ffff:ffff:ffff:ffff:fffe', userAgent: longAgent }
  await db.insert(sessions).values(
    [userId, userId, userId, ...members].map((userId) => ({
      id: uuid(),
      tokenHash: randomBytes(32),
      userId,
      expiresAt: sql`now() + interval '1 day'`,
      ...browser
    }))
  )
  await db.insert(passkeys).values({
    id: uuid(),
    userId,
    credentialId: randomBytes(32),
    publicKey: randomBytes(77),
    algorithm: -7,
    counter: 0,
    aaguid: uuid(),
    deviceType: 'multi',
    backedUp: true,
    rpId: 'localhost',
    name: wide(40)
  })
  await insertRecords(db, people, browser)
  await db.insert(outbox).values(
    people.map(({ id: userId, email, name }, n) => {
      const id = uuid()
      return {
        id,
        kind: 'recovery' as const,
        userId,
        ...contentsOf(app.context.sealing, id, {
          to: email,
          reader: { name, locale: null, timeZone: null },
          content: samples.recovery
        }),
        state: n % 2 === 0 ? ('dead' as const) : ('caught' as const),
        lastError: 'w'.repeat(40),
        attempts: 8,
        expiresAt: sql`now() + interval '1 day'`,
        doneAt: sql`now()`
      }
    })
  )
  const [mail] = await db.select({ id: outbox.id }).from(outbox).limit(1)
  await insertServices(db, userId, roleId)
  return { role, flag, segment, service, mail: mail?.id ?? '' }
}

/** Has every kind of control, names of properties of a form, and long texts without a space. */
export const hostileSettingsSchema: SettingSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    elements: { type: 'string', maxLength: 40, title: wide(200), description: wide(1000) },
    insertBefore: { type: 'string', maxLength: 4000, description: names[2] },
    childNodes: { type: 'string', enum: [wide(100), names[0], ''], default: wide(100) },
    submit: { type: 'boolean', title: wide(200), description: names[3] },
    action: { type: 'integer' },
    ['a'.padEnd(40, 'W')]: { type: 'string', format: 'date-time' },
    length: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 200 } },
    nodeName: {
      type: 'object',
      title: names[4],
      additionalProperties: false,
      properties: {
        day: { type: 'string', format: 'date' },
        inner: {
          type: 'object',
          title: wide(200),
          additionalProperties: false,
          properties: {
            list: {
              type: 'array',
              maxItems: 5,
              items: {
                type: 'object',
                additionalProperties: false,
                properties: { text: { type: 'string', maxLength: 200 } }
              }
            }
          }
        }
      }
    }
  }
}

export const hostileSettings = {
  elements: '"><img src=x onerror=alert(1)>',
  insertBefore: `${wide(500)}\n${names[4]}`,
  childNodes: names[0],
  submit: true,
  action: Number.MAX_SAFE_INTEGER,
  ['a'.padEnd(40, 'W')]: '2031-01-01T00:00:00.000Z',
  length: [wide(200), names[2]],
  nodeName: { day: '0000-01-01', inner: { list: [{ text: wide(200) }, { text: names[0] }] } }
}

type Db = FastifyInstance['db']

async function insertServices(db: Db, userId: string, roleId: string) {
  const all = Array.from({ length: 50 }, (_, n) => ({
    id: uuid(),
    key: n === 0 ? service : `${n}-${key(60)}`,
    name: names[n % names.length] ?? '',
    description
  }))
  await db.insert(services).values(all)
  await db.insert(serviceRoles).values(all.map(({ id: serviceId }) => ({ serviceId, roleId })))
  const [{ id: serviceId } = { id: '' }] = all
  for (const owner of [{ userId }, { serviceId }]) {
    await db.insert(apiKeys).values(
      Array.from({ length: 50 }, (_, n) => ({
        id: uuid(),
        ...owner,
        name: names[n % names.length] ?? '',
        hash: randomBytes(32),
        lastFour: 'WWWW',
        permissions: n % 2 === 0 ? null : [permission, `a${permission.slice(1)}`],
        networks: n % 2 === 0 ? null : Array.from({ length: 10 }, () => 'ffff:ffff:ffff:ffff::/64'),
        assurance: 1 as const,
        expiresAt: sql`now() + interval '1 day'`
      }))
    )
  }
}

async function insertRecords(
  db: Db,
  people: readonly { id: string; email: string }[],
  browser: { ip: string; userAgent: string }
) {
  const of = { actorType: 'user', source: 'api', ...browser } as const
  await db.insert(activity).values(
    people.flatMap(({ id, email }, n) => [
      {
        ...of,
        id: uuid(),
        action: 'user.role-grant',
        outcome: 'success' as const,
        actorId: id,
        actorLabel: email,
        targetType: 'user' as const,
        targetId: people[(n + 1) % people.length]?.id,
        details: { role }
      },
      {
        ...of,
        id: uuid(),
        action: 'auth.login',
        actorType: 'anonymous' as const,
        outcome: 'failure' as const,
        reason: 'wrong-password',
        targetType: 'user' as const,
        targetId: id,
        details: { email }
      },
      {
        ...of,
        id: uuid(),
        action: 'user.update',
        outcome: 'success' as const,
        actorId: id,
        actorLabel: email,
        targetType: 'user' as const,
        targetId: id,
        details: { fields: ['name'], changes: { name: { from: wide(80), to: names[0] } } }
      }
    ])
  )
}
