// A worker that a mail kills. Its arguments are the database, the key of the payload, and the id of
// the mail; without it, every mail does.
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../../db/client.ts'
import { createOutboxWorker } from '../../../src/domain/mail/worker.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import { mailing } from './parts.ts'

const [url = '', secret = '', deadly] = process.argv.slice(2)
const { db } = await openDatabase(url)
const log = (details: object, message: string) => {
  process.stdout.write(`${message} ${JSON.stringify(details)}\n`)
  if (!message.includes('mail delivered')) process.exit()
}
createOutboxWorker({
  db,
  ...mailing,
  sealing: createSealing([{ kid: 'test', secret: Buffer.from(secret, 'base64url') }]),
  isReady: () => true,
  log: { info: log, warn: log, error: log },
  transport: {
    async send({ id }) {
      // The others take longer than that one.
      if (deadly !== undefined && id !== deadly) await db.execute(sql`select pg_sleep(0.1)`)
      else process.kill(process.pid, 'SIGKILL')
      return { outcome: 'sent' }
    }
  }
}).start()
