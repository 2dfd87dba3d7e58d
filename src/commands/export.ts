import type { Command } from 'commander'
import { transaction } from '../../db/transaction.ts'
import { record } from '../domain/activity/record.ts'
import { countUsers, exportUsers } from '../domain/administration/export.ts'
import { addFlagExport } from './flag-transfer.ts'
import { example } from './options.ts'
import { asJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'

export function addExportCommand(program: Command) {
  const exports = program.command('export').description('export data')
  example(exports, 'portal export users > users.ndjson', 'portal export flags > flags.json')
  addFlagExport(exports)
  example(
    exports
      .command('users')
      .description('export users as NDJSON, in the format of import users')
      .option(
        '--with-password-hashes',
        'include password hashes; the export is recorded in the audit trail'
      ),
    'portal export users > users.ndjson'
  ).action(async ({ withPasswordHashes }: { withPasswordHashes?: true }) =>
    withPortal(async ({ db, actor }) => {
      // Recorded before the first line is written: a reader that closes the pipe ends this process.
      if (withPasswordHashes) {
        await transaction(db, async (tx) =>
          record(tx, actor, 'users.export', { details: { count: await countUsers(tx) } })
        )
      }
      let count = 0
      for await (const row of exportUsers(db)) {
        const { passwordHash, createdAt, profile, emailVerified, settings, appSettings, ...user } =
          row
        const filled = Object.entries(profile).filter(([, value]) => value !== null)
        const line = {
          ...user,
          ...(filled.length > 0 && { profile: Object.fromEntries(filled) }),
          ...(settings && { settings }),
          ...(appSettings && { appSettings }),
          createdAt,
          ...(emailVerified && { emailVerified }),
          ...(withPasswordHashes && passwordHash !== null && { passwordHash })
        }
        await write(`${asJson(line)}\n`)
        count += 1
      }
      const advice = withPasswordHashes
        ? ' with password hashes: protect the file like the database'
        : ''
      say(`exported ${count}${advice}`)
    })
  )
}
