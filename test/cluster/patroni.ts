import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Test } from 'tap'
import { until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { filled } from '../proxies/proxies.ts'
import { stoppableProxy } from '../support/stoppable-proxy.ts'
import { killPostgres, startEtcd, startHaproxy } from './programs.ts'
import type { Programs } from './programs.ts'

const names = ['db-a', 'db-b', 'db-c'] as const
type Name = (typeof names)[number]

interface Member {
  role: string
  state: string
  timeline: number
  lag?: number | 'unknown'
}

/**
 * A node's traffic to etcd and that of the others to it goes through relays, which can be
 * stopped. Clients reach its ports directly.
 */
interface Node {
  name: Name
  postgres: number
  rest: number
  data: string
  file: string
  relays: Awaited<ReturnType<typeof stoppableProxy>>[]
}

/**
 * Three nodes with deploy/patroni.yml, one etcd, and HAProxy. Only addresses, passwords and folders
 * are filled in, and there is no watchdog.
 */
export async function startCluster(t: Pick<Test, 'teardown'>, programs: Programs) {
  const etcd = await startEtcd(programs)
  const password = randomBytes(12).toString('hex')
  const nodes = await Promise.all(names.map((name) => prepare(t, programs, name, etcd, password)))
  const nodeOf = (name: Name) => nodes.find((each) => each.name === name) as Node
  const running = new Map<Name, () => Promise<void>>()
  const start = (name: Name) => {
    running.set(name, programs.start(programs.paths.patroni, [nodeOf(name).file], name))
  }
  const ask = (name: Name, url: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${nodeOf(name).rest}${url}`, {
      signal: AbortSignal.timeout(5000),
      ...init
    })
  /** The nodes that say that they are the primary: two would be a split brain. */
  const primaries = async () => {
    const answers = await Promise.all(
      names.map((name) => ask(name, '/primary').catch(() => undefined))
    )
    return names.filter((_, i) => answers[i]?.status === 200)
  }
  const members = async () => {
    const [name = names[0]] = await primaries()
    return ((await (await ask(name, '/cluster')).json()) as { members: Member[] }).members
  }

  names.forEach(start)
  return {
    names,
    password,
    primaries,
    /** The port of HAProxy that leads to the primary. */
    port: await startHaproxy(programs, nodes),
    portOf: (name: Name) => nodeOf(name).postgres,
    /** A URL with the superuser. */
    urlOf: (name: Name) =>
      `postgres://postgres:${password}@127.0.0.1:${nodeOf(name).postgres}/postgres`,
    /** Resolves when a leader, its synchronous standby and another standby are up to date. */
    settled: () =>
      until(async () => {
        const all = await members().catch(() => [])
        const roles = all.map(({ role }) => role).toSorted()
        return (
          roles.join() === 'leader,replica,sync_standby' &&
          new Set(all.map(({ timeline }) => timeline)).size === 1 &&
          all.every(
            ({ role, state, lag }) =>
              ['running', 'streaming'].includes(state) && (role === 'leader' || lag === 0)
          )
        )
      }),
    start,
    /** Kills Patroni first, which would start PostgreSQL again. */
    async kill(name: Name) {
      await running.get(name)?.()
      killPostgres(nodeOf(name).data)
    },
    /** Resolves when Patroni has answered, which it does after the switchover. */
    async switchOver(name: Name) {
      const answer = await ask(name, '/switchover', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`patroni:${password}`)}` },
        body: JSON.stringify({ leader: name }),
        signal: AbortSignal.timeout(60_000)
      })
      if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`)
    },
    /** From now on nothing passes between the node and etcd, or between the node and the others. */
    cutOff: (name: Name) => nodeOf(name).relays.forEach((relay) => relay.stop()),
    reconnect: (name: Name) => nodeOf(name).relays.forEach((relay) => relay.go())
  }
}

async function prepare(
  t: Pick<Test, 'teardown'>,
  { paths, ownFolder, ownFile }: Programs,
  name: Name,
  etcd: string,
  password: string
): Promise<Node> {
  const [postgres, rest] = [await freePort(), await freePort()]
  const targets = [etcd, `http://127.0.0.1:${postgres}`, `http://127.0.0.1:${rest}`]
  const relays = await Promise.all(targets.map((url) => stoppableProxy(t, url)))
  const [toEtcd = '', toPostgres = '', toRest = ''] = relays.map(({ url }) => new URL(url).host)
  const home = ownFolder(name)
  const data = path.join(home, 'data')
  const text = filled('deploy/patroni.yml', {
    'name: db-a': `name: ${name}`,
    ' listen: 10.0.0.11:8008': ` listen: 127.0.0.1:${rest}`,
    'connect_address: 10.0.0.11:8008': `connect_address: ${toRest}`,
    ' listen: 10.0.0.11:5432': ` listen: 127.0.0.1:${postgres}`,
    'connect_address: 10.0.0.11:5432': `connect_address: ${toPostgres}`,
    // Without this option Patroni would ask etcd for its own address, and go past the relay.
    '10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379': `${toEtcd}\n  use_proxies: true`,
    '/var/lib/postgresql/15/portal': data,
    '/usr/lib/postgresql/15/bin': path.dirname(paths.postgres),
    '/var/lib/postgresql/portal.pgpass': path.join(home, 'pgpass'),
    '/var/run/postgresql': home,
    '10.0.0.0/24': '127.0.0.1/32',
    'password-of-the-api': password,
    'password-of-postgres': password,
    'password-of-replicator': password,
    'mode: required': 'mode: off'
  })
  t.teardown(() => killPostgres(data))
  return { name, postgres, rest, data, file: ownFile(`${name}.yml`, text), relays }
}
