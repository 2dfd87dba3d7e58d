import { eq } from 'drizzle-orm'
import { deadline } from '../../../db/deadline.ts'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { withSlack } from '../../../db/transaction.ts'
import { authorized, lockNothing } from '../access/authorize.ts'
import { listOwnActivity } from '../activity/list.ts'
import { record } from '../activity/record.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { listFactors } from '../factors/list.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { listKeysOf } from '../keys/keys.ts'
import { page } from '../keyset.ts'
import type { Page, Window } from '../keyset.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { SystemPermission } from '../permissions.ts'
import { listInvitationsTo } from '../scopes/invitations.ts'
import { listScopesOf } from '../scopes/list.ts'
import { listOwnSessions } from '../sessions/sessions.ts'
import { readSettings, readStored } from '../settings/settings.ts'
import type { SettingsOf } from '../settings/settings.ts'
import type { Context } from '../sign-in/context.ts'
import { changeOwnUser } from '../sign-in/own-account.ts'
import { normalizeEmail } from '../users/emails.ts'
import { findUser } from '../users/users.ts'

/** The user whose data is exported, and the current session, if any. */
interface Self {
  id: string
  sessionId?: string | undefined
}
type Reading = Pick<Context, 'db' | 'sessionRules' | 'settings' | 'exports'>

/**
 * Admits an export of the actor's own data, records it, and reports it by mail. Throws
 * `unauthenticated`, `reauthentication-required` and what `charge` throws, which is called once
 * the actor has proved who they are.
 */
export const admitExport = (
  context: Pick<Context, 'db' | 'sessionRules' | 'mail'>,
  actor: SignedInActor,
  charge: () => void
) =>
  changeOwnUser(context, actor, async (tx, user) => {
    await requireRecentAuthentication(tx, actor, user)
    charge()
    await record(tx, actor, 'user.export', { userId: user.id })
    await notify(tx, context.mail, user, { kind: 'export-made', ...factsOf(actor) })
  })

/** The parts of an export can be read with these one by one. */
const readingAll: SystemPermission[] = [
  'users:read',
  'sessions:read',
  'keys:read',
  'activity:read',
  'outbox:read'
]

/** Records that somebody else exports the data of a user. Throws `user-not-found`. */
export const recordExport = (db: Db, actor: Actor, userId: string) =>
  authorized(db, actor, readingAll, lockNothing, async (tx, by) => {
    await findUser(tx, userId)
    await record(tx, by, 'user.export', { userId })
  })

/**
 * Yields all data about a user, as the text of a JSON object (`DataExport` in
 * src/schemas). No secrets, and nothing that identifies anybody else. Read page by page, without a
 * transaction, which would delay the vacuum: a list may have rows that were added meanwhile.
 */
export async function* exportData(services: Reading, self: Self): AsyncGenerator<string> {
  const { revision, version, ...account } = await findUser(services.db, self.id)
  const factors = await listFactors(services.db, { userId: self.id })
  const settings = await keptSettings(services, { userId: self.id, part: 'user' })
  const appSettings = await keptSettings(services, { userId: self.id, part: 'app' })
  const app = services.exports && (await readOwn(services.db, services.exports, self.id))
  // The lists begin behind the objects, in place of the last brace.
  yield JSON.stringify({
    account,
    factors,
    settings: settings.document,
    appSettings: appSettings.document,
    app
  }).slice(0, -1)
  for (const [name, read] of Object.entries(listsOf(services, self, account))) {
    yield `,"${name}":[`
    let separator = ''
    for await (const items of pagesOf(read)) {
      yield separator + items.map((item) => JSON.stringify(item)).join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}\n'
}

/** Milliseconds for a part of the app, because the response waits for it. */
const ownLimit = 5000

async function readOwn(db: Db, exports: NonNullable<Context['exports']>, userId: string) {
  const parts: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(exports)) {
    // JSON leaves out a property that is undefined, which the document requires.
    parts[name] = (await deadline(read(db, userId), withSlack(ownLimit))) ?? null
  }
  return parts
}

/** Settings with their defaults; without a schema as they are stored. */
const keptSettings = ({ db, settings }: Reading, of: SettingsOf) =>
  settings ? readSettings(db, settings, of) : readStored(db, of)

type Read = (part: Pick<Window<string>, 'limit' | 'after'>) => Promise<Page<object>>

const listsOf = (
  services: Reading,
  self: Self,
  account: { email: string; emailVerified: boolean }
): Record<string, Read> => ({
  scopes: async () => ({ items: await listScopesOf(services.db, self.id), next: undefined }),
  async invitations(part) {
    // Whose mailbox it is has not been proved otherwise.
    if (!account.emailVerified) return { items: [], next: undefined }
    const address = normalizeEmail(account.email) ?? ''
    return listInvitationsTo(services.db, address, { sort: '-createdAt', ...part })
  },
  sessions: (part) => listOwnSessions(services, self, { sort: '-createdAt', ...part }),
  keys: (part) =>
    listKeysOf(services.db, { type: 'user', id: self.id }, { sort: '-createdAt', ...part }),
  async activity(part) {
    const found = await listOwnActivity(services.db, self, { sort: '-at', ...part })
    return { ...found, items: found.items.map((item) => withoutOthers(item, self)) }
  },
  mails: (part) =>
    page(services.db, mailList, { sort: '-createdAt', ...part }, eq(outbox.userId, self.id))
})

const pageSize = 500

/** Pages that have rows. */
async function* pagesOf(read: Read) {
  let after: unknown[] | undefined
  do {
    const { items, next } = await read({ limit: pageSize, after })
    if (items.length > 0) yield items
    after = next
  } while (after)
}

const { kind, state, createdAt, doneAt } = outbox
const mailList = {
  table: outbox,
  columns: { kind, state, createdAt, doneAt },
  orders: { createdAt: [outbox.createdAt, outbox.id] }
}

type ActivityItem = Awaited<ReturnType<typeof listOwnActivity>>['items'][number]

/** Targets that are people. Others, with those of the app, are things. */
const people: readonly unknown[] = ['user', 'session']

/** An action on somebody else stays, but does not say on whom. */
function withoutOthers(item: ActivityItem, { id }: Self) {
  if (item.targetId === null || item.targetId === id || !people.includes(item.targetType)) {
    return item
  }
  if (item.targetType === 'session' && item.targetId === item.sessionId) return item
  return { ...item, targetId: null, details: {} }
}
