import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import type { Db } from '../../../db/engine.ts'
import { readServerInfo } from '../../../db/server-info.ts'
import { onPglite, testDatabaseUrl } from '../../support/app.ts'

t.test(
  'migrations run without the timeouts of the role',
  { skip: onPglite && 'it has none' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const admin = postgres(url, { max: 1, onnotice: () => {} })
    const name = new URL(url).pathname.slice(1)
    for (const each of [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout'
    ]) {
      await admin.unsafe(`alter database ${name} set ${each} = '7s'`)
    }
    await admin.end()
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    const timeouts = async (db: Db) => {
      const { statementTimeout, lockTimeout, idleInTransactionTimeout } = await readServerInfo(db)
      return [statementTimeout, lockTimeout, idleInTransactionTimeout]
    }
    t.same(await timeouts(database.db), ['7s', '7s', '7s'])
    await database.migrate(async (db) => {
      t.same(await timeouts(db), ['0', '0', '0'])
    })
  }
)
