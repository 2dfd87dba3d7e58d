// A worker that a mail kills. Its arguments are the database and the key of the payload.
import { openDatabase } from '../../../db/client.ts'
import { createOutboxWorker } from '../../../src/domain/outbox/worker.ts'
import { createSealing } from '../../../src/domain/sealing.ts'

const [url = '', secret = ''] = process.argv.slice(2)
const { db } = await openDatabase(url)
const log = (details: object, message: string) => {
  process.stdout.write(`${message} ${JSON.stringify(details)}\n`)
  process.exit()
}
createOutboxWorker({
  db,
  sealing: createSealing([{ kid: 'test', secret: Buffer.from(secret, 'base64url') }]),
  isReady: () => true,
  log: { info: log, warn: log, error: log },
  async deliver() {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  }
}).start()
