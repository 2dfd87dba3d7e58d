import type { Row, Sql, TransactionSql, ValuesRowList } from 'postgres'
import type { Connection } from './connection.ts'
import type { Connections } from './pool.ts'
import { ConnectionLost, ServerInRecovery } from '../errors.ts'

/** Milliseconds. */
export interface Deadlines {
  statement: number
  transaction: number
}

/**
 * The part of a postgres.js client that Drizzle uses; a test compares them. Every statement with
 * parameters is prepared, which Drizzle does not ask for.
 */
export function facade(
  connections: Connections,
  { statement, transaction }: Deadlines,
  prepare: boolean,
  serverIsolation = false
): Sql {
  // Set explicitly, because the locking relies on read committed.
  const begin = serverIsolation ? 'begin' : 'begin isolation level read committed'
  type Call = Parameters<Sql['unsafe']>
  const send = ({ send }: Connection, [query, parameters = [], options = {}]: Call) =>
    send(query, parameters, { ...options, prepare: prepare && parameters.length > 0 })
  const client = {
    options: connections.options,
    unsafe: (...call: Call) => ({
      then: (...settle: Parameters<Promise<unknown>['then']>) =>
        connections.use((connection) => send(connection, call), statement).then(...settle),
      values: () =>
        connections.use(
          async (connection) => fromPrimary(await send(connection, call).values()),
          statement
        )
    }),
    begin: (work: (tx: TransactionSql) => Promise<unknown>) =>
      connections.use(
        async (connection) => {
          let over = false
          const unsafe = (...call: Call) => {
            if (over) throw new Error('a statement was sent after its transaction had ended')
            return send(connection, call)
          }
          await send(connection, [begin])
          let result
          try {
            result = await work({ unsafe } as TransactionSql)
          } catch (error) {
            over = true
            await rollback(connection)
            throw error
          }
          over = true
          // PostgreSQL answers ROLLBACK when a statement has failed and `work` continued.
          const { command } = await send(connection, ['commit'])
          if (command !== 'COMMIT') {
            throw new Error('a transaction in which a statement had failed cannot be committed')
          }
          return result
        },
        transaction,
        true
      )
  }
  return client as unknown as Sql
}

/** Rejects a standby's answer to a statement that selects `in_recovery`. */
function fromPrimary(rows: ValuesRowList<Row[]>) {
  const column = rows.columns.findIndex(({ name }) => name === 'in_recovery')
  if (rows[0]?.[column] === true) throw new ServerInRecovery()
  return rows
}

/** A connection that cannot roll back is closed, and then the server does it. */
async function rollback(connection: Connection) {
  if (!connection.usable()) return
  await connection.send('rollback').catch((error: unknown) => {
    connection.discard(
      new ConnectionLost('The transaction could not be rolled back', { cause: error })
    )
  })
}
