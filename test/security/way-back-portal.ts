import { randomBytes } from 'node:crypto'
import { inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { defaultBudgets, parseBudgets } from '../../src/config/budget-variables.ts'
import type { Config } from '../../src/config/config.ts'
import { prepareMail } from '../../src/domain/mail/preparation.ts'
import { claim } from '../../src/domain/outbox/claim.ts'
import { openPayload } from '../../src/domain/outbox/enqueue.ts'
import type { StoredContent } from '../../src/domain/outbox/enqueue.ts'
import type { ProviderClient } from '../../src/domain/providers/client.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { ownApp, testDatabase } from '../support/app.ts'
import { plain } from '../support/providers/configured.ts'

// A portal with mailboxes and providers, all in one process.

/**
 * `mailbox` speaks for the mailboxes of its accounts. `hearsay` believes what it is told. `staff`
 * is required for its domains, and has guests from elsewhere.
 */
export const kinds = ['mailbox', 'hearsay', 'staff'] as const
export type Kind = (typeof kinds)[number]
export const issuerOf = (kind: Kind) => `https://${kind}.example`

const aProvider = (key: Kind, changes: Partial<Provider> = {}): Provider => ({
  ...plain,
  key,
  kind: 'oidc',
  name: key,
  issuer: issuerOf(key),
  clientId: 'portal',
  credential: { secret: 'secret' },
  ...changes
})

/** Stands for the network: what comes back as the code are the claims of the verified ID token. */
const providerClient: ProviderClient = {
  authorizationUrl: async (_, { state }) => `https://provider.example/?state=${state}`,
  async identify(_, { code = '' }, __, begin) {
    await begin()
    return JSON.parse(code) as Record<string, unknown>
  },
  verifyLogout: () => Promise.reject(new Error('nobody logs out')),
  examine: () => Promise.reject(new Error('nobody asks'))
}

/** No attempt waits for another one. */
const unlimited = parseBudgets(
  Object.fromEntries(
    Object.keys(defaultBudgets(true)).map((name) => [name, '900000/0.001'])
  ) as ReturnType<typeof defaultBudgets>
)

export interface Portal {
  app: FastifyInstance
  /** A server of the same database where no mail is sent yet. */
  withoutMail: FastifyInstance
  /** A server of the same database where a deletion cannot be undone. */
  withoutGrace: FastifyInstance
  /** The domains with which `staff` is required. */
  domains: string[]
  inbox: Inbox
}

/** A portal that sends mail as if to a server, and in which every user may create keys. */
export async function aPortal(t: Test, mode: Config['EMAIL_VERIFICATION']): Promise<Portal> {
  const database = await testDatabase(t)
  // Before the first request, so that nothing has to be bumped.
  await database.db.execute(sql`
    insert into role_permissions (role_id, permission_key)
    select id, 'keys:create' from roles where key = 'user'`)
  const domains: string[] = []
  const config = {
    EMAIL_VERIFICATION: mode,
    SECRET_KEYS: [{ kid: 'test', secret: randomBytes(32) }],
    DELETION_GRACE_DAYS: 7,
    providers: [
      aProvider('mailbox', { trustsEmail: 'claim' }),
      aProvider('hearsay'),
      aProvider('staff', { trustsEmail: 'domains', domains, required: true, listed: false })
    ],
    ...unlimited
  }
  const anApp = async (changes: Partial<Config>, sendsMail: boolean) => {
    const app = await ownApp(t, { ...config, ...changes }, database)
    const { context } = app
    const mail = context.mail && { ...context.mail, delivers: true }
    Object.assign(context, { providerClient, mail: sendsMail ? mail : undefined })
    // Its worker rests: the inbox takes the mail.
    Object.assign(app.readiness, { reason: () => 'the inbox takes the mail' })
    return app
  }
  const app = await anApp({}, true)
  return {
    app,
    withoutMail: await anApp({}, false),
    withoutGrace: await anApp({ DELETION_GRACE_DAYS: 0 }, true),
    domains,
    inbox: openInbox(app)
  }
}

/** The purpose of the link in a mail. */
export type Purpose =
  | 'confirm'
  | 'confirm an address'
  | 'recover'
  | 'revert an address'
  | 'revert factors'
  | 'restore'
  | 'end keys'

const purposes: Partial<Record<StoredContent['kind'], Purpose>> = {
  confirm: 'confirm',
  'email-change': 'confirm an address',
  'email-verify': 'confirm an address',
  recovery: 'recover',
  'email-changed': 'revert an address',
  'second-factor-added': 'revert factors',
  'passkey-added': 'revert factors',
  'provider-linked': 'revert factors',
  'password-changed': 'revert factors',
  'deletion-planned': 'restore'
}

/** The link of a mail. */
export interface Letter {
  purpose: Purpose
  token: string
}

interface Inbox {
  /** The links in all mail to these addresses, the oldest first, once none is on its way. */
  read(addresses: string[]): Promise<Letter[]>
}

/** The mail of an application, which is delivered when somebody looks. */
function openInbox({ db, context: { sealing } }: FastifyInstance): Inbox {
  const letters = new Map<string, (Letter & { id: string })[]>()
  let delivery = Promise.resolve()
  async function deliver() {
    const rows = await claim(db, 1000)
    for (const { id, ...row } of rows) {
      const payload = openPayload(sealing, id, row.payload)
      const mail = payload && (await prepareMail(db, sealing, { ...row, id, payload }))
      const purpose = mail && purposes[mail.content.kind as StoredContent['kind']]
      if (!mail || !purpose) continue
      const { to, content } = mail
      const kept = letters.get(to) ?? []
      letters.set(to, kept)
      if ('token' in content && content.token !== undefined) {
        kept.push({ id, purpose, token: content.token })
      }
      if ('keysLink' in content && content.keysLink) {
        kept.push({ id, purpose: 'end keys', token: content.keysLink.token })
      }
    }
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await db.delete(outbox).where(inArray(outbox.id, ids))
  }
  return {
    async read(addresses) {
      delivery = delivery.then(deliver)
      await delivery
      return addresses
        .flatMap((address) => letters.get(address) ?? [])
        .sort((a, b) => (a.id < b.id ? -1 : 1))
    }
  }
}
