import type { Database } from '../../db/client.ts'
import { databaseCode } from '../../db/errors.ts'
import { findBrokenIndexes, repairIndex } from '../../db/index-check.ts'
import type { BrokenIndex } from '../../db/index-check.ts'
import { OutsideError } from './errors.ts'
import { say } from './output.ts'
import { reportWaiting } from './portal.ts'

const uniqueViolation = '23505'

/** Builds the indexes of the schema that are missing, invalid or different. */
export async function repairIndexes(database: Database) {
  await database.exclusively(async (db) => {
    const broken = await findBrokenIndexes(db)
    for (const index of broken) {
      await repairIndex(db, index, reportWaiting).catch((error: unknown) => {
        throw databaseCode(error) === uniqueViolation ? duplicates(index) : error
      })
      say(`Built the index ${index.name}, which was ${index.state}.`)
    }
    if (broken.length === 0) say('All indexes are as in the schema.')
  }, reportWaiting)
}

function duplicates({ name, table, columns }: BrokenIndex) {
  const list = columns.join(', ')
  return new OutsideError(
    'duplicate-rows',
    `The index ${name} is unique, but some rows of ${table} have equal values. Find them:\n` +
      `  SELECT ${list}, count(*) FROM "${table}" GROUP BY ${list} HAVING count(*) > 1;\n` +
      'Change or delete all but one of each, then run portal migrate --repair again.'
  )
}
