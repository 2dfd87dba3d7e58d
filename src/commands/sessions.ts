import { Option } from 'commander'
import type { Command } from 'commander'
import { sessionStates } from '../../db/schema/sessions.ts'
import type { sessionSorts } from '../../db/schema/sessions.ts'
import { revokeSession, revokeUserSessions } from '../domain/sessions/revocation.ts'
import { findSession, listSessions } from '../domain/sessions/sessions.ts'
import type { SessionFilters } from '../domain/sessions/sessions.ts'
import { findUserId } from '../domain/users/users.ts'
import { UsageError } from './errors.ts'
import { printList, withEmails } from './list.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, say } from './output.ts'
import { withPortal } from './portal.ts'
import { requireConfirmation, requireId } from './terminal.ts'

interface ByUser {
  user?: string
}

export function addSessionCommands(program: Command) {
  const session = program.command('session').description('sessions')
  example(session, 'portal session list --user ada@example.com', 'portal session help revoke')
  addList(session)
  addShow(session)
  addRevoke(session)
}

function addList(session: Command) {
  const list = asList(session.command('list').description('list sessions'), ['-createdAt'])
    .option('--user <user>', 'id or e-mail address')
    .addOption(new Option('--state <state>', 'only sessions in this state').choices(sessionStates))
  example(list, 'portal session list --user ada@example.com --state active')
  list.action(
    async (given: ByUser & SessionFilters & ListOptions<(typeof sessionSorts)[number]>) => {
      const { user, state, ...options } = given
      await withPortal(async ({ db, sessionRules }) => {
        const userId = user === undefined ? undefined : await findUserId(db, user)
        await printList(
          options,
          async (window) =>
            withEmails(db, await listSessions({ db, sessionRules }, { userId, state, ...window })),
          [
            ['user', (row) => row.userEmail ?? row.userId],
            'lastSeenAt',
            ['ended', (row) => row.revokedAt && `${show(row.revokedAt)} ${row.revokeReason}`],
            ['factors', (row) => row.assurance],
            'ip',
            'id'
          ]
        )
      })
    }
  )
}

const show = (at: Date | string) => new Date(at).toISOString().replace(/\.\d+/, '')

const requireSession = (id: string) => requireId(id, 'A session id', 'portal session list')

function addShow(session: Command) {
  const one = asData(
    session.command('show').description('show a session').argument('<id>', 'session id')
  )
  example(one, 'portal session show 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e')
  one.action(async (id: string, { json }: Json) => {
    requireSession(id)
    await withPortal(async ({ db }) => printOne(await findSession(db, id), json))
  })
}

function addRevoke(session: Command) {
  const revoke = asData(
    session
      .command('revoke')
      .description('revoke one session, or all sessions of a user')
      .argument('[id]', 'session id')
  )
    .option('--user <user>', 'id or e-mail address: revoke all sessions of this user')
    .option('--yes', 'do not ask for confirmation')
  example(
    revoke,
    'portal session revoke 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
    'portal session revoke --user ada@example.com --yes'
  )
  type Options = Json & ByUser & { yes?: boolean }
  revoke.action(async (id: string | undefined, { user, yes, json }: Options) => {
    if ((id === undefined) === (user === undefined)) {
      throw new UsageError('Specify either a session id or --user.')
    }
    if (id !== undefined) requireSession(id)
    await withPortal(async ({ db, actor }) => {
      if (id !== undefined) await revokeSession(db, actor, { id })
      if (user !== undefined) {
        const userId = await findUserId(db, user)
        await requireConfirmation(`This ends all sessions of ${user}.`, yes)
        await revokeUserSessions(db, actor, { userId })
      }
      say('Revoked.')
      if (json) await printJson(id !== undefined ? { revoked: id } : { revokedOf: user })
    })
  })
}
