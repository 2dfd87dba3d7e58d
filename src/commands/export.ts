import { transaction } from '../../db/transaction.ts'
import { record } from '../domain/activity/record.ts'
import { countUsers, exportUsers } from '../domain/administration/export.ts'
import { command, group, inPortal } from './command.ts'
import { flagExport } from './flag-transfer.ts'
import { asJson, say, write } from './output.ts'

export const exportCommands = group({
  what: 'export data',
  examples: ['portal export users > users.ndjson', 'portal export flags > flags.json'],
  commands: {
    flags: flagExport,
    users: command({
      what: 'export users as NDJSON, in the format of import users',
      options: [
        [
          '--with-password-hashes',
          'include password hashes; the export is recorded in the audit trail'
        ]
      ],
      json: false,
      examples: ['> users.ndjson'],
      run: inPortal(async ({ db, actor }, given) => {
        const { withPasswordHashes } = given
        // Record it before the first line: a reader that closes the pipe ends this process.
        if (withPasswordHashes) {
          await transaction(db, async (tx) =>
            record(tx, actor, 'users.export', { details: { count: await countUsers(tx) } })
          )
        }
        let count = 0
        for await (const row of exportUsers(db)) {
          const {
            passwordHash,
            createdAt,
            profile,
            emailVerified,
            scopes,
            settings,
            appSettings,
            ...user
          } = row
          const filled = Object.entries(profile).filter(([, value]) => value !== null)
          const line = {
            ...user,
            ...(filled.length > 0 && { profile: Object.fromEntries(filled) }),
            ...(scopes && { scopes }),
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
    })
  }
})
