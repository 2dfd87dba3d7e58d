import t from 'tap'
import { knowsProxies, loadConfig } from '../../src/config/config.ts'
import { production } from './environments.ts'

t.test('valid but risky settings are warnings', async (t) => {
  t.match(
    loadConfig({
      ...production,
      DATABASE_URL: 'postgres://portal@db.example.com/portal',
      LOG_LEVEL: 'debug'
    }).warnings,
    [/^DATABASE_URL .*verify-full/, /^LOG_LEVEL /]
  )
  const hosts = (names: string) =>
    loadConfig({
      ...production,
      DATABASE_URL: `postgres://portal@${names}/portal?target_session_attrs=primary`
    }).warnings
  t.same(hosts('localhost,[::1]:5433,127.0.0.2'), [])
  t.match(hosts('localhost,db.example.com'), [/^DATABASE_URL .*verify-full/])
})

t.test('a remote PGHOST is a warning when the URL has no host', async (t) => {
  const warnings = (env: Record<string, string>, url = 'postgres:///portal') =>
    loadConfig({ ...production, DATABASE_URL: url, ...env }).warnings
  for (const PGHOST of ['db.example.com', 'localhost,10.0.0.7:5433']) {
    t.match(warnings({ PGHOST }), [/^PGHOST .*verify-full/], PGHOST)
    t.same(warnings({ PGHOST, PGSSL: 'verify-full' }), [])
    t.same(warnings({ PGHOST }, 'postgres:///portal?sslmode=verify-full'), [])
    t.same(warnings({ PGHOST }, 'postgres://localhost/portal'), [], 'the URL has a host')
    t.same(warnings({ PGHOST }, 'pglite:data'), [])
  }
  for (const PGHOST of ['', 'localhost', '127.0.0.1:5433', '/run/postgresql']) {
    t.same(warnings({ PGHOST }), [], PGHOST)
  }
})

t.test('development on a database of another machine is a warning', async (t) => {
  const warnings = (env: Record<string, string>) =>
    loadConfig({ NODE_ENV: 'development', SECRET_KEYS: production.SECRET_KEYS, ...env }).warnings
  const remote = 'postgres://portal@db.example.com/portal?sslmode=verify-full'
  t.match(warnings({ DATABASE_URL: remote }), [
    /^DATABASE_URL names another machine.*portal console/
  ])
  t.match(warnings({ DATABASE_URL: 'postgres:///portal?sslmode=verify-full', PGHOST: 'db' }), [
    /^PGHOST names another machine/
  ])
  t.same(warnings({ DATABASE_URL: 'postgres://portal@localhost/portal' }), [])
  t.same(warnings({}), [], 'embedded')
  t.same(loadConfig({ ...production, DATABASE_URL: remote }).warnings, [])
})

t.test('a proxy that Node does not use is a warning', async (t) => {
  const warnings = (env: Record<string, string>) =>
    loadConfig({ ...production, DATABASE_URL: 'pglite:data', ...env }).warnings
  t.match(warnings({ HTTPS_PROXY: 'http://proxy:3128' }), [/^HTTPS_PROXY is not used/])
  t.match(warnings({ https_proxy: 'http://proxy:3128' }), [/^https_proxy is not used/])
  const used = warnings({ HTTPS_PROXY: 'http://proxy:3128', NODE_USE_ENV_PROXY: '1' })
  t.equal(used.length, knowsProxies() ? 0 : 1)
  t.same(['20.20.2', '22.20.0', '22.21.0', '23.11.1', '24.0.0', '26.10.0'].map(knowsProxies), [
    false,
    false,
    true,
    false,
    true,
    true
  ])
})
