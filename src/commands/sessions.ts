import { Option } from 'commander'
import type { Command } from 'commander'
import { outcomes } from '../../db/schema/activity.ts'
import type { activitySorts } from '../../db/schema/activity.ts'
import { sessionStates } from '../../db/schema/sessions.ts'
import type { sessionSorts } from '../../db/schema/sessions.ts'
import { actionNames } from '../domain/activity.ts'
import { listActivity } from '../domain/activity-lists.ts'
import type { ActivityFilters } from '../domain/activity-lists.ts'
import { revokeSession, revokeUserSessions } from '../domain/revocation.ts'
import { listSessions } from '../domain/session-lists.ts'
import type { SessionFilters } from '../domain/session-lists.ts'
import { findUserId } from '../domain/users.ts'
import { UsageError } from './errors.ts'
import { asList, collect, example } from './options.ts'
import type { ListOptions } from './options.ts'
import { withPortal } from './portal.ts'
import { printRows, requireConfirmation, say } from './terminal.ts'

interface ByUser { user?: string }

export function addSessionCommands (program: Command) {
  const session = program.command('session').description('sessions')

  example(asList(session.command('list').description('list sessions'), ['-createdAt'])
    .option('--user <user>', 'id or e-mail address')
    .addOption(new Option('--state <state>', 'live, over its time, or ended').choices(sessionStates)), 'portal session list --user ada@example.com --state active')
    .action(async ({ user, state, ...options }: ByUser & SessionFilters & ListOptions<typeof sessionSorts[number]>) => withPortal(async ({ db, rules }) => {
      const userId = user === undefined ? undefined : await findUserId(db, user)
      const rows = await collect(options, (window) => listSessions(db, rules, { userId, state, ...window }))
      printRows(rows, ['id', 'userId', 'createdAt', 'lastSeenAt', 'revokedAt', 'revokeReason', 'ip'], options.json === true)
    }))

  example(session.command('revoke').description('end one session, or all of a user').argument('[id]', 'id of the session')
    .option('--user <user>', 'id or e-mail address: end all of their sessions')
    .option('--yes', 'do not ask'), 'portal session revoke 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', 'portal session revoke --user ada@example.com --yes')
    .action(async (id: string | undefined, { user, yes }: ByUser & { yes?: boolean }) => {
      if ((id === undefined) === (user === undefined)) throw new UsageError('Name a session by its id, or a user by --user: one of the two.')
      if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new UsageError('The id of a session looks like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e. portal session list shows them.')
      await withPortal(async ({ db, rules, actor }) => {
        if (id !== undefined) await revokeSession(db, rules, actor, id)
        if (user !== undefined) {
          const userId = await findUserId(db, user)
          await requireConfirmation(`This ends all sessions of ${user}.`, yes)
          await revokeUserSessions(db, rules, actor, userId)
        }
        say('ended')
      })
    })
}

export function addActivityCommands (program: Command) {
  const activity = program.command('activity').description('what happened: the audit trail')

  example(asList(activity.command('list').description('list records'), ['-at'])
    .addOption(new Option('--action <action>', 'what happened').choices(actionNames))
    .addOption(new Option('--outcome <outcome>', 'how it went').choices(outcomes))
    .option('--actor <user>', 'id or e-mail address of who did it')
    .option('--target <id>', 'id of what it was done to')
    .option('--from <time>', 'records at or after it', time)
    .option('--to <time>', 'records before it', time), 'portal activity list --action auth.login --outcome failure --from 2026-01-31')
    .action(async ({ action, outcome, actor, target, from, to, ...options }: ActivityFilters & { actor?: string, target?: string } & ListOptions<typeof activitySorts[number]>) => withPortal(async ({ db }) => {
      const actorId = actor === undefined ? undefined : await findUserId(db, actor)
      const rows = await collect(options, (window) => listActivity(db, { action, outcome, actorId, targetId: target, from, to, ...window }))
      printRows(rows, ['at', 'action', 'outcome', 'reason', 'actorLabel', 'targetId', 'ip', 'details'], options.json === true)
    }))
}

function time (text: string) {
  const date = new Date(text)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1900 || date.getUTCFullYear() > 2199) throw new UsageError(`${text} is no time: write it like 2026-01-31 or 2026-01-31T09:30:00Z.`)
  return date
}
