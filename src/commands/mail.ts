import type { Resolver } from 'node:dns/promises'
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { v7 as uuid } from 'uuid'
import { outboxStates } from '../../db/schema/outbox.ts'
import type { outboxSorts } from '../../db/schema/outbox.ts'
import { loadSenderConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { mailSettingsOf, transportOf } from '../config/mail-services.ts'
import { listOutbox, retryAllMail, retryMail } from '../domain/outbox/list.ts'
import type { OutboxFilters } from '../domain/outbox/list.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { findUserId } from '../domain/users/users.ts'
import { findMailHosts, parseMailFrom, parseMailUrl } from '../domain/mail/addresses.ts'
import { renderMail } from '../domain/mail/mails.ts'
import { OutsideError, UsageError } from './errors.ts'
import { named, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import { printList, withEmails } from './list.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { plain, printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { requireId } from './terminal.ts'

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

function addMailTest(mail: Command) {
  const test = asData(
    mail
      .command('test')
      .description('send a mail at once, and print the answers of the mail server')
      .addOption(
        new Option('--to <address>', 'address of the mail').argParser(address).makeOptionMandatory()
      )
  )
  example(test, 'portal mail test --to you@example.com')
  test.action(async ({ to, json }: Json & { to: string }) => {
    const config = loadSenderConfig()
    const replies: string[] = []
    const transport = transportOf(config, (line) => replies.push(line))
    if (!transport) {
      throw new UsageError(
        'There is no mail server. Set MAIL_URL, such as smtp://user:password@host:587, and ' +
          'MAIL_FROM.'
      )
    }
    const mail = renderMail({ kind: 'test' }, to, {}, mailSettingsOf(config))
    const delivery = await transport.send({ id: uuid(), to, ...mail })
    // Printed before closing the connection, which adds lines that are not answers of the server.
    if (!json) await write(replies.map((line) => `${plain(line)}\n`).join(''))
    const printed = [...replies]
    await transport.close()
    if (delivery.outcome !== 'sent') {
      const { error, reason } = delivery
      throw new OutsideError(
        'mail-not-sent',
        `The mail was not sent: ${error}. ${plain(reason ?? '')}\n${adviceOn(error)}`
      )
    }
    say('The mail server accepted the mail.')
    if (json) await printJson({ sent: true, answers: printed })
  })
}

function address(text: string) {
  if (normalizeEmail(text) === undefined) {
    throw new InvalidArgumentError('Must be an e-mail address like ada@example.com.')
  }
  return text
}

/** No findings without a mail server: the portal may run without one. */
export async function mailServerFindings(config: Config): Promise<Finding[]> {
  const { MAIL_URL, MAIL_FROM = '' } = config
  if (MAIL_URL === undefined) return []
  const { address } = parseMailFrom(MAIL_FROM)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const [server, sender] = await Promise.all([
    serverFinding(config, MAIL_URL),
    senderFinding(domain)
  ])
  return [named('mail server', server), named('mail sender', sender)]
}

const encryption = {
  'from the start': 'TLS from the start',
  STARTTLS: 'STARTTLS',
  optional: 'on this machine'
}

async function serverFinding(config: Config, url: string): Promise<Outcome> {
  const { host, port, tls, login } = parseMailUrl(url)
  const name = `${host}:${port}, ${encryption[tls]}`
  const transport = transportOf(config)
  const failure = await transport?.verify()
  await transport?.close()
  return failure
    ? problem(`${name}: ${failure.error}. ${plain(failure.reason ?? '')}`, adviceOn(failure.error))
    : ok(`${name}, ${login ? 'accepts the login' : 'needs no login'}`)
}

const advice: Record<string, string> = {
  connect:
    'Check host and port in MAIL_URL, that the server is running, and that no firewall blocks ' +
    'the connection.',
  tls:
    'With smtp:// the server must offer STARTTLS, with smtps:// TLS from the start, and its ' +
    'certificate must be valid for the host in MAIL_URL. To trust a private certificate ' +
    'authority, set NODE_EXTRA_CA_CERTS.',
  auth: 'Check user and password in MAIL_URL. Special characters must be percent-encoded.',
  timeout: 'Check host and port in MAIL_URL: usually, port 587 needs smtp:// and port 465 smtps://.'
}

const adviceOn = (error: string) =>
  advice[error] ??
  'The server refused it and says why. Often the account may not send for the address in MAIL_FROM.'

/** Many servers reject mail from a domain to which they could not reply. */
export async function senderFinding(domain: string, resolver?: Resolver): Promise<Outcome> {
  const found = await findMailHosts(domain, resolver)
  if (found.by === 'MX') return ok(`${domain} accepts mail at ${found.hosts.join(', ')}`)
  if (found.by === 'address') {
    return ok(`${domain} has no MX record, but has an address record`)
  }
  if (found.by === 'unknown') {
    return warning(
      `${domain} could not be looked up: the DNS server does not answer (${found.error})`,
      'Check the DNS settings of this machine. Mail is still sent.'
    )
  }
  return warning(
    found.by === 'refused'
      ? `the MX record of ${domain} says that it accepts no mail`
      : `${domain} has neither an MX record nor an address record`,
    'Many servers reject mail from such a domain. Add an MX record, or change MAIL_FROM.'
  )
}
