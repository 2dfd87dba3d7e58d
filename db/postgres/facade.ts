import type { PendingQuery, Row, Sql, TransactionSql, ValuesRowList } from 'postgres'
import type { Connection } from './connection.ts'
import type { Connections } from './pool.ts'
import { ConnectionLost, databaseCode, ServerInRecovery } from '../errors.ts'

/** SQLSTATE in_failed_sql_transaction: how statements after a failed one are answered. */
const inFailedTransaction = '25P02'

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
          let hasBegun = false
          let waits = false
          let failure: unknown
          const begun = send(connection, [begin]).then(() => {
            hasBegun = true
          })
          const sendOne = (call: Call) => {
            const query = send(connection, call)
            query.catch((error: unknown) => {
              failure ??= error
            })
            return query
          }
          const sendInTime = (call: Call) => {
            if (over) throw new Error('a statement was sent after its transaction had ended')
            return sendOne(call)
          }
          const unsafe = (...call: Call) => {
            // A first select is sent together with BEGIN. It does no harm outside of a transaction
            // if BEGIN fails. Statements behind one that waits do so as well, to keep their order.
            waits ||= !hasBegun && !call[0].startsWith('select ')
            // By then the transaction may be over: another statement was refused meanwhile.
            return waits ? afterwards(begun, () => sendInTime(call)) : sendInTime(call)
          }
          let result
          try {
            const [worked] = await Promise.all([work({ unsafe } as TransactionSql), begun])
            result = worked
          } catch (error) {
            over = true
            await rollback(connection)
            // When statements were sent together, only the first that failed says why.
            throw databaseCode(error) === inFailedTransaction ? (failure ?? error) : error
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

/** A statement to send once `begun` resolves, as Drizzle uses it. */
function afterwards(begun: Promise<void>, send: () => PendingQuery<Row[]>) {
  let asValues = false
  // Not when Drizzle asks for the result: that takes longer for some statements than for others.
  const sent = begun.then(() => (asValues ? send().values() : send()))
  return {
    then: (...settle: Parameters<Promise<unknown>['then']>) => sent.then(...settle),
    values() {
      asValues = true
      return sent
    }
  }
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
