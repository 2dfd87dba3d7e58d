import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { v7 as uuid } from 'uuid'
import { loadSenderConfig } from '../config/config.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { renderMail } from '../mail/mails.ts'
import { mailSettingsOf, transportOf } from '../config/mail-services.ts'
import { OutsideError, UsageError } from './errors.ts'
import { adviceOn } from './mail-findings.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { plain, printJson, say, write } from './output.ts'

export function addMailTest(mail: Command) {
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
