// Not on PGlite: nothing is sent to it.

import t from 'tap'
import { statements } from '../../../db/statements.ts'
import type { SentStatement } from '../../../db/statements.ts'
import { aCaller, aUser, onPglite, ownApp, password } from '../../support/app.ts'

const skip = onPglite && 'nothing is sent to it'

/** How often `work` waits for the database: statements that are sent together count once. */
async function roundTripsOf(work: () => Promise<unknown>) {
  let waiting = 0
  let roundTrips = 0
  const count = (message: unknown) => {
    const { result } = message as SentStatement
    if (waiting++ === 0) roundTrips += 1
    const arrived = () => {
      waiting -= 1
    }
    result.then(arrived, arrived)
  }
  statements.subscribe(count)
  try {
    await work()
  } finally {
    statements.unsubscribe(count)
  }
  return roundTrips
}

/** The fewest of three runs, because jobs of the process send statements as well. */
async function fewestOf(work: () => Promise<unknown>) {
  const counts = []
  for (let n = 0; n < 3; n++) counts.push(await roundTripsOf(work))
  return Math.min(...counts)
}

t.test(
  'a login waits nine times for the database, and a change of name seven',
  { skip },
  async (t) => {
    const app = await ownApp(t)
    const { email } = await aUser(app.database)
    const logIn = async () => {
      const payload = { email, password }
      const { statusCode } = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
      t.equal(statusCode, 200)
    }
    await logIn() // the first one is not reported to the user
    t.ok((await fewestOf(logIn)) <= 9)

    const { call } = await aCaller(app)
    let names = 0
    const rename = async () => {
      const { statusCode } = await call('PUT', '/api/user/name', { name: `Name ${names++}` })
      t.equal(statusCode, 200)
    }
    t.ok((await fewestOf(rename)) <= 7)
  }
)
