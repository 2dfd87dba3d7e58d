import type { Resolver } from 'node:dns/promises'
import { InvalidArgumentError } from 'commander'
import { v7 as uuid } from 'uuid'
import { outboxSorts, outboxStates } from '../../db/schema/outbox.ts'
import { loadSenderConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { mailSettingsOf, transportOf } from '../config/mail-services.ts'
import { listOutbox, retryAllMail, retryMail } from '../domain/outbox/list.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { findMailHosts, parseMailFrom, parseMailUrl } from '../domain/mail/addresses.ts'
import { renderMail } from '../domain/mail/letters.ts'
import { command, group, list } from './command.ts'
import { OutsideError, UsageError } from './errors.ts'
import { findingsOf, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import { withEmails } from './list.ts'
import { requireOne } from './options.ts'
import type { Json } from './options.ts'
import { done, plain, write } from './output.ts'
import { withPortal } from './portal.ts'
import { requireId } from './terminal.ts'
import { optionalUserId } from './user-argument.ts'

/** Sends a mail at once, and prints the answers of the server. */
async function sendTest({ to, json }: Json & { to: string }) {
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
  await done('The mail server accepted the mail.', json, { sent: true, answers: printed })
}

export const mailCommands = group({
  what: 'mail in the outbox, and the mail server',
  examples: ['portal mail list --state dead', 'portal mail help retry'],
  commands: {
    list: list({
      what: 'list mail',
      options: [
        ['--user <user>', 'id or e-mail address'],
        ['--state <state>', 'only mail in this state', { choices: outboxStates }]
      ],
      examples: ['--user ada@example.com --state dead'],
      sorts: outboxSorts,
      newestFirst: true,
      rows: async ({ db }, window, { user, state }) => {
        const userId = await optionalUserId(db, user)
        return withEmails(db, await listOutbox(db, { userId, state, ...window }))
      },
      columns: [
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
    }),
    'retry [id]': command({
      what: 'send mail at once that is dead or waits for another attempt',
      args: { id: 'mail id' },
      options: [
        ['--dead', 'all dead mail'],
        ['--pending', 'all mail that waits for another attempt']
      ],
      examples: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', '--dead'],
      async run({ dead, pending, json }, id?: string) {
        requireOne('a mail id, --dead or --pending', id, dead, pending)
        if (id !== undefined) requireId(id, 'A mail id', 'portal mail list')
        await withPortal(async ({ db, actor }) => {
          if (id !== undefined) await retryMail(db, actor, { id })
          const state = dead ? 'dead' : 'pending'
          const retried = id === undefined ? await retryAllMail(db, actor, { state }) : 1
          const mails = retried === 1 ? '1 mail' : `${retried} mails`
          await done(`${mails} will be sent as soon as a server is running.`, json, { retried })
        })
      }
    }),
    test: command({
      what: 'send a mail at once, and print the answers of the mail server',
      options: [['--to <address>', 'address of the mail', { parse: address, required: true }]],
      examples: ['--to you@example.com'],
      run: sendTest
    })
  }
})

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
  return [...findingsOf('mail server', server), ...findingsOf('mail sender', sender)]
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
