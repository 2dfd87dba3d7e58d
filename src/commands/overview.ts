import type { Command } from 'commander'
import { readOverview } from '../domain/administration/overview.ts'
import { version } from '../version.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, printOne } from './output.ts'
import { withPortal } from './portal.ts'

interface Estimated {
  count: number
  approximate: boolean
}

export function addOverviewCommand(program: Command) {
  const overview = asData(
    program
      .command('overview')
      .description('print the number of users, live sessions and mails, and the database')
  )
  example(overview, 'portal overview')
  overview.action(async ({ json }: Json) =>
    withPortal(async ({ database, sessionRules }) => {
      const found = await readOverview(database, sessionRules)
      if (json) return printJson({ version, ...found })
      const shown = ({ count, approximate }: Estimated) => (approximate ? `about ${count}` : count)
      await printOne({
        version,
        database: `${found.database.label}, version ${found.database.version}`,
        users: shown(found.users),
        ...(found.foreignHashes.count > 0 && { foreignHashes: shown(found.foreignHashes) }),
        liveSessions: shown(found.liveSessions),
        mailPending: found.outbox.pending,
        oldestSeconds: Math.round(found.outbox.oldestSeconds),
        mailDead: found.outbox.dead
      })
    })
  )
}
