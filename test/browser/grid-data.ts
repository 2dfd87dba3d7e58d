import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/engine.ts'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { userSettings } from '../../db/schema/users.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import type { SettingSchema, SettingsSchemas } from '../../src/common/settings.ts'
import { fillSample } from '../../src/sample/command.ts'
import { sampleSegment } from '../../src/sample/flags.ts'
import { createIds } from '../../src/sample/history.ts'
import { makePeople } from '../../src/sample/people.ts'
import { aUser, callerOf } from '../support/app.ts'
import { fillKeys } from '../support/keys.ts'
import { plain } from '../support/providers/configured.ts'
import { aScopedRole, granted } from '../support/scopes.ts'
import { schemaFile } from '../support/settings.ts'
import { rules } from '../support/test-config.ts'
import { aDelivery, anEndpoint } from '../support/webhooks.ts'
import { fillHostile, hostileSettings, hostileSettingsSchema } from './hostile-data.ts'
import { longAddress } from './hostile-texts.ts'

/** A view shows nothing, data as it is, or the worst. */
export const kinds = ['empty', 'real', 'hostile'] as const
export type Kind = (typeof kinds)[number]

/** Providers that everybody sees. Nobody follows the buttons here. */
export const providersOf = (kind: Kind): Provider[] =>
  (kind === 'hostile' ? ['W'.repeat(40), 'w'.repeat(40)] : ['Acme', 'Kontor']).map((name, n) => ({
    ...plain,
    key: `provider-${n}`,
    kind: 'oidc',
    name,
    issuer: `https://provider-${n}.example.com`,
    clientId: 'portal',
    credential: { secret: 'not followed' }
  }))

/** An account of each of these users at the first provider. */
const linkAccounts = (db: Db, email: string, ...users: string[]) =>
  db.insert(providerAccounts).values(
    [...new Set(users)].map((userId) => ({
      id: randomUUID(),
      userId,
      provider: 'provider-0',
      issuer: 'https://provider-0.example.com',
      subject: userId,
      email,
      lastUsedAt: new Date()
    }))
  )

/** The settings that an app keeps. */
export const schemasOf = (kind: Kind): SettingsSchemas | undefined =>
  kind === 'empty'
    ? undefined
    : kind === 'real'
      ? (schemaFile as { user: SettingSchema; app: SettingSchema })
      : { user: hostileSettingsSchema, app: hostileSettingsSchema }

/** Stores settings of a user. */
export async function fillSettings(kind: Kind, { db }: FastifyInstance, userId: string) {
  if (kind === 'empty') return
  const real = {
    user: { startPage: 'calendar', columns: ['Subject', 'Date'] },
    app: { plan: 'pro', limits: { projects: 30 } }
  }
  await db.insert(userSettings).values(
    (['user', 'app'] as const).map((part) => ({
      userId,
      part,
      version: 1,
      document: kind === 'real' ? real[part] : hostileSettings
    }))
  )
}

/** Fills a portal, and returns an administrator, and what the addresses of views name. */
export async function fillWith(kind: Kind, app: FastifyInstance) {
  const email = kind === 'hostile' ? longAddress('me') : 'admin@example.com'
  const admin = await aUser(app.database, email)
  const names = {
    id: admin.id,
    role: 'user',
    flag: 'no-such-flag',
    service: 'no-such-service',
    segment: 'no-such-segment',
    scope: kind === 'hostile' ? `${'w'.repeat(20)}:${'W'.repeat(60)}` : 'org:1',
    webhook: randomUUID() as string
  }
  if (kind === 'hostile') Object.assign(names, await fillHostile(app, admin.id))
  if (kind === 'real') {
    const now = new Date()
    await fillSample({ db: app.db, sealing: app.context.sealing, sessionRules: rules }, now)
    const [person] = makePeople(now, createIds())
    Object.assign(names, { id: person?.id, role: 'sample-support', flag: 'sample.new-checkout' })
    Object.assign(names, { service: 'sample-nightly-report', segment: sampleSegment })
    for (const userId of [names.id, admin.id]) {
      for (const [name, days] of Object.entries({ 'Nightly export': 80, Laptop: 10 })) {
        const expiresAt = new Date(now.getTime() + days * 86_400_000)
        await fillKeys(app.database, { userId }, 1, { name, expiresAt })
      }
    }
  }
  if (kind !== 'empty') {
    await linkAccounts(app.db, email, admin.id, names.id)
    const longest = kind === 'hostile' ? 'w'.repeat(60) : 'crm'
    const webhook = await anEndpoint(app.database, { url: `https://${longest}.invalid/hooks` })
    await aDelivery(app.database, webhook, { action: 'user.update', userId: admin.id })
    names.webhook = webhook.id
    const inScope = await aScopedRole(app.database)
    for (const id of [admin.id, names.id]) {
      await granted(app.database, { id }, names.scope, inScope)
    }
  }
  return { names, ...(await callerOf(app, admin, 'admin')) }
}
