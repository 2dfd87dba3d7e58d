// Not on PGlite: only one process can open it.

import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { aUser, onPglite, until } from '../support/app.ts'
import { examined } from './doctor-run.ts'
import { production, startServer } from './production-server.ts'

const skip = onPglite && 'one process'

t.test('doctor looks at the running instances, and at their health', { skip }, async (t) => {
  const { env, finding, client } = await examined(t)
  const settings = { ...production(), HOST: '127.0.0.1' }
  const look = () => finding('instances', settings)
  t.match(await look(), { result: 'warning', finding: /^none is connected/, todo: /systemctl/ })

  const [one, two] = [
    await startServer(t, { ...settings, ...env }),
    await startServer(t, { ...settings, ...env })
  ]
  t.match(
    await until(async () => ((await look())?.finding.startsWith('2 ') ? look() : undefined)),
    {
      result: 'ok',
      finding: /^2 connected, version \d+\.\d+\.\d+; ready on this machine: 2$/
    }
  )

  await client`delete from epochs`
  await until(async () => (await look())?.result === 'problem')
  t.match(await look(), {
    result: 'problem',
    finding: /the one on port \d+ is not ready/
  })

  await one.stop()
  await two.stop()
  await until(async () => (await look())?.result === 'warning')
})

t.test(
  'doctor counts users who must confirm their address before they sign in',
  { skip },
  async (t) => {
    const { finding, client, url } = await examined(t)
    const settings = {
      ...production(),
      MAIL_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'portal@example.com',
      ACCOUNT_URL: 'http://localhost:3000/account'
    }
    const look = (more = {}) => finding('unconfirmed addresses', { ...settings, ...more })
    t.equal(await look(), undefined)
    // The user is from the time before mail.
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    await aUser(database)
    t.match(await look(), {
      result: 'warning',
      finding: /^1 active users have not confirmed theirs/,
      todo: /EMAIL_VERIFICATION=optional/
    })
    t.equal(await look({ EMAIL_VERIFICATION: 'optional' }), undefined)
    await client`update users set email_verified_at = now()`
    t.equal(await look(), undefined)
  }
)
