import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { withoutValues } from '../../src/domain/mail/transport.ts'
import { runner } from '../cli/run.ts'
import { mailingPortal } from '../resilience/mailing.ts'
import { onPglite, testDatabaseUrl, until } from '../support/app.ts'
import { startMailServer } from './server.ts'

t.test('the sentence of a mail server keeps neither address nor secret', (t) => {
  const address = 'ada.byron@example.com'
  for (const [reply, kept] of [
    [
      '550 5.1.1 <Ada.Byron@Example.com>: Recipient unknown',
      '550 5.1.1 [address] Recipient unknown'
    ],
    [
      '550 User ada.byron is unknown. See ada.byron.',
      '550 User [address] is unknown. See [address].'
    ],
    [
      '554 Bad link https://app.example.com/reset?token=abc123',
      '554 Bad link https://app.example.com/reset'
    ],
    [
      '550-5.7.26 blocked\r\n550 https://support.google.com/mail/answer/81126',
      '550-5.7.26 blocked 550 https://support.google.com/mail/answer/81126'
    ],
    ['550 ada.byron=example.com?', '550 [address]=example.com?'],
    ['550 ada.byron2 and xada.byron', '550 ada.byron2 and xada.byron'],
    [`451 try later ${'x'.repeat(43)}`, '451 try later [...]'],
    ['550 \u001b[31mno', '550 [31mno']
  ] as const) {
    t.equal(withoutValues(reply, address), kept)
  }
  t.equal(withoutValues("550 <sean.o'brien> no", "sean.o'brien@example.com"), '550 <[address]> no')
  t.ok(withoutValues('no '.repeat(1000), address).length <= 300)
  t.end()
})

t.test(
  'operators read what the mail server said in the outbox, the log and the record',
  { skip: onPglite && 'a command runs beside the server' },
  async (t) => {
    const server = await startMailServer(t)
    server.play = (stage) => (stage === 'rcpt' ? 450 : undefined)
    server.says = '4.2.2 <secret-address@example.com> is over quota'
    const url = await testDatabaseUrl(t)
    const { app, recoverSomebody, tried, rows, logged, output } = await mailingPortal(
      t,
      server.url,
      {},
      url
    )
    await recoverSomebody('secret-address@example.com')
    await tried()
    const said = '450 4.2.2 [address] is over quota'
    t.match(await rows(), [{ lastError: 'smtp 450', lastReply: said }])
    t.match(
      logged().find(({ msg }) => msg === 'mail not delivered, will be tried again'),
      { error: 'smtp 450', reply: said }
    )
    const { ok, json, run } = runner({ DATABASE_URL: url })
    t.match(json(await ok(t, 'mail list --json')), [{ lastReply: said }])
    const findings = json(await run('doctor --json')) as { check: string; finding: string }[]
    t.match(
      findings.find(({ check }) => check === 'mail')?.finding,
      `last error: smtp 450: ${said}`
    )

    server.play = (stage) => (stage === 'rcpt' ? 550 : undefined)
    server.says = '5.7.1 Sender not allowed'
    await app.db.update(outbox).set({ nextAt: new Date() })
    const dead = eq(activity.action, 'mail.dead')
    await until(async () => (await app.db.$count(activity, dead)) === 1)
    const [record] = await app.db.select().from(activity).where(dead)
    t.match(record?.details, { error: 'smtp 550', reply: '550 5.7.1 Sender not allowed' })
    t.notMatch(output(), 'secret-address')
  }
)
