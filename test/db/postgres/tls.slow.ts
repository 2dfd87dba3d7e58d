import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { portalProcess } from '../../cli/run.ts'
import { onPglite } from '../../support/app.ts'
import { clean, postgresTool, runPostgres, startPostgres } from '../../support/postgres.ts'
import { publicFolder } from '../../resilience/instances.ts'

t.test(
  'sslmode=verify-full compares the certificate with the host of the URL, a name or an address',
  {
    skip: onPglite && 'it has no network'
  },
  async (t) => {
    const folder = path.join(publicFolder(t), 'postgres')
    const data = path.join(folder, 'data')
    const { port } = new URL(await startPostgres(folder))
    t.teardown(() => clean(folder))
    const [certificate, key] = [path.join(data, 'server.crt'), path.join(data, 'server.key')]
    const serveFor = async (name: string) => {
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=test',
          '-addext',
          `subjectAltName=${name}`,
          '-keyout',
          key,
          '-out',
          certificate
        ],
        { stdio: 'ignore' }
      )
      const { uid, gid } = statSync(data)
      for (const file of [certificate, key]) chownSync(file, uid, gid)
      chmodSync(key, 0o600)
      await postgresTool(folder, 'pg_ctl', '--pgdata', data, '--mode', 'fast', '--wait', 'stop')
      await runPostgres(folder, Number(port), ['fsync=off', 'ssl=on'])
    }
    const reached = async (host: string, sslmode = 'verify-full') => {
      const { stdout } = await portalProcess(['doctor', '--json'], {
        env: {
          DATABASE_URL: `postgres://portal@${host}:${port}/postgres?sslmode=${sslmode}`,
          NODE_EXTRA_CA_CERTS: certificate
        }
      })
      return (JSON.parse(stdout) as { check: string; result: string; finding: string }[]).find(
        ({ check }) => check === 'database'
      )
    }
    const refused = { result: 'problem', finding: /certificate/ }

    await serveFor('IP:127.0.0.1')
    t.match(await reached('127.0.0.1'), { result: 'ok' })
    t.match(await reached('localhost'), refused)
    await serveFor('DNS:localhost')
    t.match(await reached('localhost'), { result: 'ok' })
    t.match(await reached('127.0.0.1'), refused)
    t.match(await reached('127.0.0.1', 'require'), { result: 'ok' }, 'encrypted, not verified')
  }
)
