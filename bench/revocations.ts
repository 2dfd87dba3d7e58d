import { setTimeout as sleep } from 'node:timers/promises'
import { addSessions } from '../test/support/many-sessions.ts'
import { atLeast, save } from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const perSecond = 200
const connections = 8

/** Measures the rate of session checks while another server revokes many sessions. */
export const revocations = () =>
  withPostgres(async (server) => {
    const url = await newPortalDatabase(server, 'revocations')
    const cookies = await addSessions(url, { count: 64 })
    const ending = (
      await addSessions(url, { count: rounds * (seconds + 1) * (perSecond + 10) })
    ).map((cookie) => requestOf({ method: 'POST', path: '/api/auth/logout', cookie }))
    const portal = await startPortal('portal', url)
    const other = await startPortal('the other portal', url)
    const requests = cookies.map((cookie) => requestOf({ path: '/api/auth/me', cookie }))
    const all = []
    try {
      // Until the hot code is compiled.
      await drive({ port: portal.port, requests, connections: 50, seconds: 5 })
      for (let turn = 0; turn < rounds; turn++) {
        const load = { port: portal.port, requests, connections: 50, seconds }
        const alone = await drive(load)
        const storm = drive({
          port: other.port,
          requests: ending.splice(0, (seconds + 1) * (perSecond + 10)),
          connections,
          every: (1000 * connections) / perSecond,
          seconds: seconds + 0.5
        })
        await sleep(250)
        const during = await drive(load)
        const ended = await storm
        assertAll(200, 'session checks', alone)
        assertAll(200, 'session checks meanwhile', during)
        assertAll(204, 'logouts', ended)
        all.push({
          undisturbed: Math.round(alone.perSecond),
          meanwhile: Math.round(during.perSecond),
          revoked: Math.round(ended.perSecond)
        })
        progress(
          `round ${turn + 1} of ${rounds}: ${Math.round(alone.perSecond)}/s, meanwhile ` +
            `${Math.round(during.perSecond)}/s, ${Math.round(ended.perSecond)} revoked a second`
        )
      }
    } finally {
      await portal.stop()
      await other.stop()
    }
    save(
      'revocations',
      [
        atLeast(
          'session checks while 200 sessions a second are revoked, to undisturbed',
          all.map(({ meanwhile, undisturbed }) => meanwhile / undisturbed),
          0.5
        ),
        atLeast(
          'of the 200 a second, revoked',
          all.map(({ revoked }) => revoked / perSecond),
          0.95
        )
      ],
      { rounds: all }
    )
  })
