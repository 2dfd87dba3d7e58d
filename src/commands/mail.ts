import { Option } from 'commander'
import type { Command } from 'commander'
import { outboxStates } from '../../db/schema/outbox.ts'
import type { outboxSorts } from '../../db/schema/outbox.ts'
import { listOutbox } from '../domain/outbox/list.ts'
import type { OutboxFilters } from '../domain/outbox/list.ts'
import { retryAllMail, retryMail } from '../domain/outbox/retry.ts'
import { findUserId } from '../domain/users/users.ts'
import { UsageError } from './errors.ts'
import { requireId } from './input.ts'
import { printList, withEmails } from './list.ts'
import { addMailTest } from './mail-test.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, say } from './output.ts'
import { withPortal } from './portal.ts'

export function addMailCommands(program: Command) {
  const mail = program.command('mail').description('mail in the outbox, and the mail server')
  example(mail, 'portal mail list --state dead', 'portal mail help retry')
  addList(mail)
  addRetry(mail)
  addMailTest(mail)
}

function addList(mail: Command) {
  const list = asList(mail.command('list').description('list mail'), ['-createdAt'])
    .option('--user <user>', 'id or e-mail address')
    .addOption(new Option('--state <state>', 'only mail in this state').choices(outboxStates))
  example(list, 'portal mail list --user ada@example.com --state dead')
  type Options = OutboxFilters & ListOptions<(typeof outboxSorts)[number]> & { user?: string }
  list.action(async ({ user, state, ...options }: Options) => {
    await withPortal(async ({ db }) => {
      const userId = user === undefined ? undefined : await findUserId(db, user)
      await printList(
        options,
        async (window) => withEmails(db, await listOutbox(db, { userId, state, ...window })),
        [
          'createdAt',
          'kind',
          ['to', (row) => row.recipient],
          ['user', (row) => row.userEmail ?? row.userId],
          'state',
          'attempts',
          ['error', (row) => row.lastError],
          'id',
          ['reply', (row) => row.lastReply]
        ]
      )
    })
  })
}

function addRetry(mail: Command) {
  const retry = asData(
    mail
      .command('retry')
      .description('send mail at once that is dead or waits for another attempt')
      .argument('[id]', 'mail id')
  )
    .option('--dead', 'all dead mail')
    .option('--pending', 'all mail that waits for another attempt')
  example(
    retry,
    'portal mail retry 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
    'portal mail retry --dead'
  )
  type Which = { dead?: true; pending?: true }
  retry.action(async (id: string | undefined, { dead, pending, json }: Json & Which) => {
    if ([id, dead, pending].filter((each) => each !== undefined).length !== 1) {
      throw new UsageError('Specify a mail id, --dead or --pending.')
    }
    if (id !== undefined) requireId(id, 'A mail id', 'portal mail list')
    await withPortal(async ({ db, actor }) => {
      if (id !== undefined) await retryMail(db, actor, { id })
      const state = dead ? 'dead' : 'pending'
      const count = id === undefined ? await retryAllMail(db, actor, { state }) : 1
      say(
        `${count === 1 ? '1 mail' : `${count} mails`} will be sent as soon as a server is running.`
      )
      if (json) await printJson({ retried: count })
    })
  })
}
