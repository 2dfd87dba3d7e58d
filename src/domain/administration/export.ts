import { asc, gt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users, userSettings } from '../../../db/schema/users.ts'
import type { SettingsDocument, SettingsPart } from '../../../db/schema/users.ts'
import { anyUser, profile, roleKeys } from '../users/users.ts'

const batch = 100_000

/**
 * The number of users, counted in batches: one statement over ten million rows would exceed the
 * statement timeout.
 */
export async function countUsers(db: Db): Promise<number> {
  let after: string | undefined
  for (let counted = 0; ; counted += batch) {
    const rest = after === undefined ? undefined : gt(users.id, after)
    const [last] = await db
      .select({ id: users.id })
      .from(users)
      .where(rest)
      .orderBy(asc(users.id))
      .offset(batch - 1)
      .limit(1)
    if (!last) return counted + (await db.$count(users, rest))
    after = last.id
  }
}

/** Settings are exported as stored, because the next portal may have another schema. */
const settingsIn = (part: SettingsPart) => sql<SettingsDocument | null>`(
  select ${userSettings.document} from ${userSettings}
  where ${userSettings.userId} = ${users.id} and ${userSettings.part} = ${part}
    and ${userSettings.version} > 0)`

/** Null without one. Raw SQL, as in src/domain/users/users.ts. */
const scopes = sql<{ scope: string; roles: string[] }[] | null>`(
  select json_agg(json_build_object('scope', held.scope, 'roles', held.roles) order by held.scope)
  from (
    select sr.scope, json_agg(r.key order by r.key) as roles
    from scoped_roles sr join roles r on r.id = sr.role_id
    where sr.user_id = users.id group by sr.scope) held)`

const exported = {
  id: users.id,
  email: users.email,
  emailVerified: anyUser.emailVerified,
  name: users.name,
  passwordHash: users.passwordHash,
  theme: users.theme,
  profile,
  status: users.status,
  roles: roleKeys,
  scopes,
  settings: settingsIn('user'),
  appSettings: settingsIn('app'),
  createdAt: users.createdAt
}

const batchSize = 1000

/**
 * Every user in the order of their ids, read in batches: a long transaction would delay the vacuum
 * of other tables.
 */
export async function* exportUsers(db: Db) {
  let after: string | undefined
  for (;;) {
    const rows = await db
      .select(exported)
      .from(users)
      .where(after === undefined ? undefined : gt(users.id, after))
      .orderBy(asc(users.id))
      .limit(batchSize)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? after
  }
}
