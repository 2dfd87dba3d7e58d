import { asc, eq, sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Config } from '../../src/config/config.ts'
import { captureLog } from '../support/log-capture.ts'
import { runner } from '../cli/run.ts'
import { aUser, freshEmail, password, ownApp, testDatabaseUrl, until } from '../support/app.ts'

/** The whole application with a mail server, as an operator sees it. */
export async function mailingPortal(
  t: Test,
  MAIL_URL: string,
  changes: Partial<Config> = {},
  url?: string
) {
  const DATABASE_URL = url ?? (await testDatabaseUrl(t))
  const database = await openDatabase(DATABASE_URL, { poolMax: 5 })
  const { log, output } = captureLog()
  const mail = {
    MAIL_URL,
    MAIL_FROM: 'portal@example.com',
    EMAIL_VERIFICATION: 'required'
  } as const
  const app = await ownApp(t, { ...mail, ...changes }, database, log)
  const { ok, json } = runner({ DATABASE_URL })

  /** Status of a request that writes a mail. */
  const post = async (path: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `/api/auth/${path}`, payload })).statusCode
  const rows = () => app.db.select().from(outbox).orderBy(asc(outbox.id))

  return {
    app,
    db: app.db,
    /** The log, one object for each line. */
    logged: () =>
      output()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    output,
    rows,
    register: () => post('register', { email: freshEmail(), password, name: 'Ada' }),
    recover: (email: string) => post('recovery', { email }),
    /** Lets a new user ask for a link, and returns the address. */
    async recoverSomebody(email = freshEmail()) {
      await aUser(app.database, email)
      t.equal(await post('recovery', { email }), 202)
      return email
    },
    /** Resolves with the rows when none of them is being delivered or waits for its first try. */
    async tried() {
      let all = await rows()
      await until(async () => {
        all = await rows()
        return all.every(
          ({ attempts, lastError, lease }) => (attempts > 0 || lastError !== null) && lease === null
        )
      })
      return all
    },
    /** Makes a row due, as if its time had come. */
    makeDue: (id: string) =>
      app.db
        .update(outbox)
        .set({ nextAt: sql`now()` })
        .where(eq(outbox.id, id)),
    /** Prints what `portal mail …` prints. */
    portalMail: async (args: string) => json(await ok(t, `mail ${args} --json`)) as unknown
  }
}
