import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { createRareLog } from '../../src/rare-log.ts'
import { ownApp } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { freePort } from '../support/postgres.ts'

t.test('what repeats is logged once a minute', async (t) => {
  const lines: string[] = []
  let now = 5
  const warn = createRareLog({ warn: (_details, message) => lines.push(message) }, () => now)
  const error = new Error('unavailable')
  for (const message of ['one', 'one', 'other', 'one']) warn(error, message)
  t.same(lines, ['one', 'other'])
  now += 59_999
  warn(error, 'one')
  t.equal(lines.length, 2)
  now += 1
  warn(error, 'one')
  t.same(lines, ['one', 'other', 'one'])
})

t.test('while the database is unavailable, scrapes do not fill the log', async (t) => {
  const database = await openDatabase('postgres://nobody:secret@127.0.0.1:9/none')
  const { log, output } = captureLog()
  const METRICS_PORT = await freePort()
  await ownApp(t, { METRICS_PORT }, database, log)
  for (let i = 0; i < 5; i++) {
    t.equal((await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).status, 200)
  }
  const lines = output().trim().split('\n')
  const unread = lines.filter((line) => line.includes('not read for metrics'))
  t.equal(unread.length, 3, 'mail, webhooks and sign-ups, once each')
  t.notMatch(output(), /\\n +at /, 'and without stacks')
})
