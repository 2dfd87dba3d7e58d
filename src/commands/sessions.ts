import { sessionSorts, sessionStates } from '../../db/schema/sessions.ts'
import { revokeSession, revokeUserSessions } from '../domain/sessions/revocation.ts'
import { findSession, listSessions } from '../domain/sessions/sessions.ts'
import { findUserId } from '../domain/users/users.ts'
import { ipOption } from './activity-options.ts'
import { command, group, list } from './command.ts'
import { withEmails } from './list.ts'
import { requireOne, yes } from './options.ts'
import { done, printOne, timeText } from './output.ts'
import { withPortal } from './portal.ts'
import { requireConfirmation, requireId } from './terminal.ts'
import { optionalUserId } from './user-argument.ts'

const requireSession = (id: string) => requireId(id, 'A session id', 'portal session list')

export const sessionCommands = group({
  what: 'sessions',
  examples: ['portal session list --user ada@example.com', 'portal session help revoke'],
  commands: {
    list: list({
      what: 'list sessions',
      options: [
        ['--user <user>', 'id or e-mail address'],
        ['--state <state>', 'only sessions in this state', { choices: sessionStates }],
        ipOption
      ],
      examples: ['--user ada@example.com --state active'],
      sorts: sessionSorts,
      newestFirst: true,
      rows: async ({ db, sessionRules }, window, { user, state, ip }) => {
        const userId = await optionalUserId(db, user)
        return withEmails(
          db,
          await listSessions({ db, sessionRules }, { userId, state, ip, ...window })
        )
      },
      columns: [
        ['user', (row) => row.userEmail ?? row.userId],
        'lastSeenAt',
        ['ended', (row) => row.revokedAt && `${timeText(row.revokedAt)} ${row.revokeReason}`],
        ['factors', (row) => row.assurance],
        'ip',
        'id'
      ]
    }),
    'show <id>': command({
      what: 'show a session',
      args: { id: 'session id' },
      examples: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'],
      async run({ json }, id) {
        requireSession(id)
        await withPortal(async ({ db }) => printOne(await findSession(db, id), json))
      }
    }),
    'revoke [id]': command({
      what: 'revoke one session, or all sessions of a user',
      args: { id: 'session id' },
      options: [['--user <user>', 'id or e-mail address: revoke all sessions of this user'], yes],
      examples: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', '--user ada@example.com --yes'],
      async run({ user, yes, json }, id?: string) {
        requireOne('either a session id or --user', id, user)
        if (id !== undefined) requireSession(id)
        await withPortal(async ({ db, actor }) => {
          if (id !== undefined) await revokeSession(db, actor, { id })
          if (user !== undefined) {
            const userId = await findUserId(db, user)
            await requireConfirmation(`This ends all sessions of ${user}.`, yes)
            await revokeUserSessions(db, actor, { userId })
          }
          await done('Revoked.', json, id !== undefined ? { revoked: id } : { revokedOf: user })
        })
      }
    })
  }
})
