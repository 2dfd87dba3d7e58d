import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { profileFieldNames, users } from '../../../db/schema/users.ts'
import { tables } from '../../../db/tables.ts'
import { exportData } from '../../../src/domain/accounts/data-export.ts'
import { deleteUser } from '../../../src/domain/administration/users.ts'
import { aUser, onPglite, operator, servicesOf, testDatabase } from '../../support/app.ts'

const secret = 'a secret, or a hash of one'
const derived = 'follows from other columns'
const internal = 'means something to the portal only'
const transient = 'of an attempt that is under way, for at most a day'
const owner = 'the user'

/**
 * Every column about a user: the place in the export, or why it is not there. A new column of such
 * a table is missing here.
 */
const columns: Record<string, Record<string, string>> = {
  users: {
    ...Object.fromEntries(
      ['id', 'email', 'name', 'theme', 'status', 'created_at', 'updated_at'].map(at('account'))
    ),
    ...Object.fromEntries(['last_login_at', 'second_factor', 'delete_at'].map(at('account'))),
    ...Object.fromEntries(
      profileFieldNames.map((field) => at('account.profile')(users[field].name))
    ),
    email_verified_at: 'account.emailVerified',
    email_normalized: derived,
    password_hash: secret,
    credential_version: internal,
    version: internal,
    recovered_at: internal
  },
  user_roles: { user_id: owner, role_id: 'account.roles' },
  totp: {
    user_id: owner,
    secret,
    last_step: 'factors.totp.lastUsedAt',
    confirmed_at: 'factors.totp.createdAt',
    created_at: derived
  },
  recovery_codes: {
    user_id: owner,
    hash: secret,
    used_at: 'factors.recoveryCodes.lastUsedAt',
    created_at: 'factors.recoveryCodes.createdAt'
  },
  passkeys: {
    ...Object.fromEntries(
      ['id', 'name', 'created_at', 'last_used_at', 'backed_up'].map(at('factors.passkeys.0'))
    ),
    user_id: owner,
    ...Object.fromEntries(
      ['credential_id', 'public_key', 'algorithm', 'counter', 'transports'].map((name) => [
        name,
        'works only with the passkey'
      ])
    ),
    aaguid: 'factors.passkeys.0.name',
    device_type: internal,
    rp_id: internal
  },
  provider_accounts: {
    ...Object.fromEntries(
      ['provider', 'email', 'created_at', 'last_used_at'].map(at('factors.providers.0'))
    ),
    id: 'factors.providers.0.id',
    user_id: owner,
    issuer: 'follows from the provider',
    subject: 'the id at the provider, which has its own export',
    logged_out_at: internal,
    speaks_for_email: internal
  },
  unlinked_accounts: {
    user_id: owner,
    issuer: 'follows from the provider',
    subject: 'the id at the provider, which has its own export'
  },
  sessions: {
    ...Object.fromEntries(
      ['id', 'created_at', 'last_seen_at', 'expires_at', 'ip', 'user_agent'].map(at('sessions.0'))
    ),
    assurance: 'sessions.0.assurance',
    reauthenticated_at: internal,
    amr: 'of the sign-in, which is in the activity',
    user_id: owner,
    token_hash: secret,
    previous_token_hash: secret,
    secret_replaced_at: internal,
    pending_totp: secret,
    revoked_at: 'ended sessions are in the activity',
    revoke_reason: 'ended sessions are in the activity',
    provider_account_id: 'provider accounts are in `factors`'
  },
  api_keys: {
    ...Object.fromEntries(
      ['id', 'name', 'last_four', 'permissions', 'networks', 'created_at', 'expires_at'].map(
        at('keys.0')
      )
    ),
    ...Object.fromEntries(['revoked_at', 'last_used_at'].map(at('keys.0'))),
    user_id: owner,
    service_id: 'of keys of services',
    hash: secret,
    assurance: internal,
    expiry_notice_at: 'the mail is in `mails`'
  },
  activity: {
    ...Object.fromEntries(
      ['id', 'at', 'action', 'outcome', 'reason', 'actor_type', 'actor_id', 'actor_label'].map(
        at('activity.0')
      )
    ),
    ...Object.fromEntries(
      ['target_type', 'target_id', 'ip', 'user_agent', 'request_id', 'session_id'].map(
        at('activity.0')
      )
    ),
    source: 'activity.0.source',
    details: 'activity.0.details'
  },
  outbox: {
    kind: 'mails.0.kind',
    state: 'mails.0.state',
    created_at: 'mails.0.createdAt',
    done_at: 'mails.0.doneAt',
    id: internal,
    user_id: owner,
    payload: 'sealed, and gone once it is sent',
    recipient: 'the address of the account at that time, masked',
    ...Object.fromEntries(
      ['attempts', 'next_at', 'expires_at', 'lease', 'last_error', 'last_reply'].map((name) => [
        name,
        internal
      ])
    )
  },
  user_settings: {
    user_id: owner,
    part: owner,
    document: 'settings',
    version: internal,
    recorded_at: internal,
    updated_at: 'changes are in the activity'
  },
  scoped_roles: {
    user_id: owner,
    scope: 'scopes.0.scope',
    role_id: 'scopes.0.roles',
    granted_at: 'grants are in the activity',
    granted_by: 'somebody else'
  },
  invitations: {
    ...Object.fromEntries(['scope', 'created_at', 'expires_at'].map(at('invitations.0'))),
    role_id: 'invitations.0.role',
    email: 'the address of the account',
    email_normalized: derived,
    invited_by: 'somebody else',
    id: internal,
    token_hash: secret
  },
  pending_logins: all('pending_logins', transient),
  tokens: all('tokens', transient),
  registrations: all('registrations', transient)
}

function at(place: string) {
  return (name: string) => [name, `${place}.${camel(name)}`] as const
}
function camel(name: string) {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
function all(table: string, reason: string) {
  return Object.fromEntries(columnsOf(table).map((name) => [name, reason]))
}
function columnsOf(name: string) {
  const table = tables.find((each) => getTableName(each) === name)
  return Object.values(table ? getTableColumns(table) : {}).map((column) => column.name)
}

const database = await testDatabase(t)
const context = servicesOf(database)
const read = async (self: { id: string }) => {
  let text = ''
  for await (const part of exportData(context, self)) text += part
  return text
}

t.test('every column about a user is in the export, or not for a reason', async (t) => {
  const about = tables
    .map(getTableName)
    .filter((name) => name in columns || columnsOf(name).includes('user_id'))
  for (const name of about) {
    t.same(Object.keys(columns[name] ?? {}).sort(), columnsOf(name).sort(), name)
  }
  t.same(Object.keys(columns).sort(), about.sort())
})

t.test('places that the list names are in the API document', async (t) => {
  const { documentOf } = await import('../../../src/document.ts')
  const { components } = JSON.parse(await documentOf('production')) as {
    components: { schemas: Record<string, Schema> }
  }
  const resolve = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref
      ? components.schemas[schema.$ref.split('/').at(-1) ?? '']
      : (schema?.anyOf?.[0] ?? schema)
  for (const place of Object.values(columns).flatMap((each) => Object.values(each))) {
    if (!/^(account|factors|scopes|invitations|sessions|keys|activity|mails)\./.test(place)) {
      continue
    }
    let schema = resolve(components.schemas.DataExport)
    for (const part of place.split('.')) {
      schema = resolve(part === '0' ? schema?.items : schema?.properties?.[part])
      schema = resolve(schema)
    }
    t.ok(schema, place)
  }
})
interface Schema {
  $ref?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

t.test('an export holds no transaction while it is read', { skip: onPglite }, async (t) => {
  const { id } = await aUser(database)
  await database.db.execute(sql`insert into ${activity}
    (id, at, action, outcome, actor_type, actor_id, source, details)
    select gen_random_uuid(), now(), 'auth.login', 'success', 'user', ${id}::uuid, 'api', '{}'
    from generate_series(1, 1200)`)
  let parts = 0
  for await (const part of exportData(context, { id })) {
    if (part.length > 0) parts++
    const inTransaction = sql`datname = current_database() and state like 'idle in transaction%'`
    t.equal(await database.db.$count(sql`pg_stat_activity`, inTransaction), 0)
  }
  t.ok(parts > 3)
})

t.test('a user who is deleted meanwhile gets a whole file', async (t) => {
  const { id } = await aUser(database)
  const parts = exportData(context, { id })
  let text = String((await parts.next()).value)
  await deleteUser(context, operator, { id })
  for await (const part of parts) text += part
  t.match(JSON.parse(text), { account: { id }, sessions: [], keys: [] })
  await t.rejects(read({ id }), { code: 'user-not-found' })
})
