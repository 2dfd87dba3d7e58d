import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { password, until } from '../support/app.ts'
import { people } from '../resilience/people.ts'
import type { Call } from '../resilience/people.ts'
import { endings, writer } from './load.ts'
import { startCluster } from './patroni.ts'
import { isPrimary, startPortals } from './portals.ts'
import type { Name } from './portals.ts'
import { debianPrograms } from './programs.ts'

// `npm run check -- cluster`: three instances on three PostgreSQL servers with Patroni, whose primary fails
// in three ways under load, three times each. Prints a line for each failure: for people to a
// terminal, otherwise JSON.

const usage = `Usage: npm run -s check -- cluster [-- --rounds N]

  --rounds N   failures of each kind (default: 3)
`
const rounds = readRounds()
const kinds = ['killed', 'switched over', 'cut off'] as const
/** Seconds until changes must succeed again. */
const limit = 30
/** A failed request gets 503. With 401 a session would have been lost. */
const expected = ['200', '201', '204', '503']
const problems: string[] = []

const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-cluster-'))
chmodSync(folder, 0o755)
const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
const ends: (() => unknown)[] = [remove]
let ended = false
const t = {
  teardown(end: () => unknown) {
    ends.unshift(end)
    if (ended) finish().catch(fail) // it was being started at the end
  }
}
async function finish() {
  ended = true
  for (let end = ends.shift(); end; end = ends.shift()) await end()
}
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'] as const) {
  process.once(event, (reason: unknown) => {
    say(`ended early: ${String(reason)}`)
    finish()
      .catch(fail)
      .finally(() => process.exit(1))
  })
}

function readRounds() {
  let problem = '--rounds must be a whole number, at least 1.'
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
    if (/^[1-9]\d{0,3}$/.test(values.rounds)) return Number(values.rounds)
  } catch (error) {
    problem = (error as Error).message
  }
  process.stderr.write(`${problem}\n\n${usage}`)
  process.exit(2)
}

const say = (text: string) => process.stderr.write(`${text}\n`)
const fail = (error: unknown) => say(String(error))
/** @param text the row for people */
const print = (row: object, text: string) =>
  process.stdout.write(`${process.stdout.isTTY ? text : JSON.stringify(row)}\n`)
const inSeconds = (ms: number) => Number((ms / 1000).toFixed(1))
const inWords = (tally: Record<string, number>) =>
  Object.entries(tally)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')

try {
  await check()
} catch (error) {
  if (!ended) {
    problems.push(error instanceof Error ? error.message : String(error))
    for (const log of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
      const lines = readFileSync(path.join(folder, log), 'utf8').trimEnd().split('\n')
      say([`last lines of ${log}:`, ...lines.slice(-10)].join('\n'))
    }
  }
}
await finish()
for (const problem of problems) say(`✗ ${problem}`)
process.exit(problems.length > 0 ? 1 : 0)

async function check() {
  say('getting the packages')
  const programs = await debianPrograms(t, folder)
  const versions = await programs.versions()
  print(
    versions,
    `Patroni ${versions.patroni}, etcd ${versions.etcd}, HAProxy ${versions.haproxy}, PostgreSQL ${versions.postgres}`
  )
  say('starting three nodes')
  const cluster = await startCluster(t, programs)
  await cluster.settled()
  say('starting three instances')
  const calls = await startPortals(t, cluster, folder)
  const crowd = people(paced(calls), 6, { changes: 2 })
  const sessions = endings(calls, 4)
  const writers = await Promise.all(calls.map(writer))

  /** Returns the new primary, and the seconds until each instance could write again. */
  const disturb = async (how: (typeof kinds)[number], from: Name) => {
    const at = performance.now()
    if (how === 'killed') await cluster.kill(from)
    else if (how === 'cut off') cluster.cutOff(from)
    else await cluster.switchOver(from)
    const to = await until(async () => (await cluster.primaries()).find((name) => name !== from))
    const found = performance.now()
    if (await isPrimary(cluster.urlOf(from))) problems.push(`${from} and ${to} are both primaries`)
    await until(() => writers.every((each) => each.wroteAfter(found)))
    return { to, writesAfter: writers.map((each) => inSeconds(each.backAfter(at))) }
  }
  if (process.stdout.isTTY) {
    say('round  primary        from  to    seconds until writes, by instance')
  }
  for (let round = 1; round <= rounds; round++) {
    for (const how of kinds) {
      await sleep(3000) // of work on a cluster that is well
      const from = await until(async () => (await cluster.primaries())[0])
      const { to, writesAfter } = await disturb(how, from)
      print(
        { round, primary: how, from, to, writesAfter },
        `${String(round).padEnd(7)}${how.padEnd(15)}${from}  ${to}  ${writesAfter.join('  ')}`
      )
      if (Math.max(...writesAfter) > limit) problems.push(`no change for more than ${limit} s`)
      if (how === 'killed') cluster.start(from)
      if (how === 'cut off') cluster.reconnect(from)
      await cluster.settled()
    }
  }
  await sleep(3000)
  await Promise.all([crowd, sessions, ...writers].map((each) => each.stop()))

  say('looking for everything that was acknowledged')
  const [call = paced(calls)] = calls
  const missing = [...(await crowd.missing(call)), ...(await notSignedIn(call, crowd.registered))]
  const others = await sessions.others()
  const { ended, repeated } = sessions.count()
  const [registered, accepted] = [crowd.registered.length, sessions.accepted.length]
  print(
    { registered, missing: missing.length, answers: crowd.tally },
    `${registered} registrations acknowledged, ${missing.length} changes missing; answers: ${inWords(crowd.tally)}`
  )
  print(
    { ended, repeated, accepted, answers: sessions.tally },
    `${ended} ends of sessions acknowledged (${repeated} when repeated), ${accepted} accepted afterwards; answers: ${inWords(sessions.tally)}`
  )
  problems.push(...missing, ...sessions.accepted)
  if (others.length > 0) problems.push(`answers about ended sessions: ${others.join()}`)
  const odd = Object.keys(crowd.tally).filter((kind) => !expected.includes(kind))
  if (odd.length > 0) problems.push(`unexpected answers: ${odd.join()}`)
  if (Math.min(registered, ended) < 10 * rounds) problems.push('hardly any load')
}

/** A client of all instances that leaves processors for the cluster. */
function paced(calls: readonly Call[]): Call {
  return async (...request) => {
    await sleep(200)
    return calls[randomInt(calls.length)]!(...request)
  }
}

async function notSignedIn(call: Call, emails: readonly string[]) {
  const few = pLimit(2)
  const answers = await few.map(emails, async (email) => {
    const { status } = await call('POST', '/api/auth/login', { body: { email, password } })
    return status === 200 ? [] : [`${email} was registered and cannot sign in: ${status}`]
  })
  return answers.flat()
}
