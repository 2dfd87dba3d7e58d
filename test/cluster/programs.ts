import { execFile, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { until } from '../support/app.ts'
import { asNobody, freePort } from '../support/postgres.ts'
import { filled } from '../proxies/proxies.ts'
import { unpackedPackages } from '../resilience/debian.ts'

export type Programs = Awaited<ReturnType<typeof debianPrograms>>

/** Debian's Patroni, etcd, HAProxy and PostgreSQL, which root runs as nobody. */
export async function debianPrograms(t: Pick<Test, 'teardown'>, folder: string) {
  const packages = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql']
  const { find, env } = await unpackedPackages(path.join(folder, 'packages'), packages)
  const postgres = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`)
  const paths = {
    patroni: find('/usr/bin/patroni'),
    etcd: find('/usr/bin/etcd'),
    haproxy: find('/usr/sbin/haproxy'),
    postgres: find(...postgres)
  }
  const unprivileged = asNobody()
  const own = (made: string) => {
    if (unprivileged) chownSync(made, unprivileged.uid, unprivileged.gid)
    return made
  }
  const version = async (program: string, option = '--version') => {
    const { stdout } = await promisify(execFile)(program, [option], { env })
    return /\d+(\.\d+)+/.exec(stdout)?.[0]
  }
  return {
    paths,
    versions: async () => ({
      patroni: await version(paths.patroni),
      etcd: await version(paths.etcd),
      haproxy: await version(paths.haproxy, '-v'),
      postgres: await version(paths.postgres)
    }),
    ownFolder(name: string) {
      const made = path.join(folder, name)
      mkdirSync(made, { mode: 0o700 })
      return own(made)
    },
    ownFile(name: string, text: string) {
      const made = path.join(folder, name)
      writeFileSync(made, text, { mode: 0o600 })
      return own(made)
    },
    /** Starts a program with its output in a file. Returns a function that kills its group. */
    start(program: string, args: string[], log: string) {
      const output = openSync(path.join(folder, `${log}.log`), 'a')
      const child = spawn(program, args, {
        ...unprivileged,
        env: { ...env, HOME: folder, LANG: 'C.UTF-8' },
        detached: true, // Ctrl-C is for this process, which ends them in order
        stdio: ['ignore', output, output]
      })
      const exit = new Promise<void>((resolve) =>
        child.on('error', () => resolve()).on('exit', () => resolve())
      )
      const end = () => {
        if (child.pid !== undefined) kill(-child.pid)
        return exit
      }
      t.teardown(end)
      return end
    }
  }
}

/** Returns the URL for clients. */
export async function startEtcd({ start, paths, ownFolder }: Programs) {
  const [client, peer] = [await freePort(), await freePort()].map(
    (port) => `http://127.0.0.1:${port}`
  ) as [string, string]
  const options = {
    name: 'etcd',
    'data-dir': ownFolder('etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  start(paths.etcd, args, 'etcd')
  await until(async () => (await fetch(`${client}/health`).catch(() => undefined))?.ok)
  return client
}

/** Starts HAProxy with deploy/haproxy-postgres.cfg, and returns the port of the primary. */
export async function startHaproxy(
  { start, paths, ownFile }: Programs,
  nodes: { postgres: number; rest: number }[]
) {
  const port = await freePort()
  const servers = nodes.map(({ postgres, rest }, i) => [
    `10.0.0.1${i + 1}:5432`,
    `127.0.0.1:${postgres} port ${rest}`
  ])
  const text = filled('deploy/haproxy-postgres.cfg', {
    'bind 127.0.0.1:5000': `bind 127.0.0.1:${port}`,
    'check port 8008 ': 'check ',
    ...Object.fromEntries(servers)
  })
  start(paths.haproxy, ['-db', '-f', ownFile('haproxy.cfg', text)], 'haproxy')
  return port
}

/** Kills the server with this data and its children, which would finish their work otherwise. */
export function killPostgres(data: string) {
  const file = path.join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const [pid] = readFileSync(file, 'utf8').split('\n')
  // The file outlives a killed server, and the number may belong to another process by now.
  const place = `/proc/${pid}/cwd`
  if (!existsSync(place) || readlinkSync(place) !== data) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  for (const each of [pid, ...children].filter(Boolean)) kill(Number(each))
}

/** @param pid negative for a process group */
function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
