import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { root } from '../support/root.ts'
import { unpackedPackages } from './debian.ts'
import { goodAfter, startInstance } from './instances.ts'

// The shipped rules in a real Prometheus, and in promtool's clock, which is faster.
const rules = path.join(root, 'deploy/prometheus-rules.yml')
const { find } = await unpackedPackages(temporaryFolder(t), ['prometheus'])
const [prometheus, promtool] = ['prometheus', 'promtool'].map((name) => find(`/usr/bin/${name}`))

t.test('when both instances are killed, Prometheus with the shipped file alerts', async (t) => {
  const DATABASE_URL = await testDatabaseUrl(t)
  const ports = [await freePort(), await freePort()]
  // Some panels are about mail.
  const mail = {
    MAIL_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'portal@example.com',
    ACCOUNT_URL: 'http://localhost:3000/account'
  }
  const instances = await Promise.all(
    ports.map((port) => startInstance(t, { DATABASE_URL, METRICS_PORT: String(port), ...mail }))
  )
  for (const { base } of instances) await goodAfter(base, '/health', 120_000)
  const folder = temporaryFolder(t)
  const port = await freePort()
  const targets = ports.map((port) => `127.0.0.1:${port}`)
  writeFileSync(
    path.join(folder, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'portal', static_configs: [{ targets }] }]
    })
  )
  const child = spawn(
    `${prometheus}`,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`
    ],
    { stdio: 'ignore' }
  )
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exit
  })
  const get = async (what: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${what}`).catch(() => undefined)
    return response?.ok ? ((await response.json()) as { data: Data }).data : undefined
  }
  interface Data {
    alerts: { labels: { alertname: string; instance: string }; state: string }[]
    result: { value: [number, string] }[]
  }
  await until(async () => {
    const up = (await get('query?query=portal_ready'))?.result ?? []
    return up.length === 2 && up.every(({ value }) => value[1] === '1')
  })
  const { panels } = JSON.parse(
    readFileSync(path.join(root, 'deploy/grafana-dashboard.json'), 'utf8')
  ) as { panels: { targets: { expr: string }[] }[] }
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  t.ok(expressions.length > 15)
  for (const expr of expressions) {
    const isShown = async () =>
      ((await get(`query?query=${encodeURIComponent(expr)}`))?.result ?? []).length > 0
    t.ok(await until(isShown).catch(() => false), `the dashboard shows ${expr}`)
  }
  const before = (await get('alerts'))?.alerts ?? []
  t.same(
    before.filter(({ state }) => state === 'firing'),
    []
  )

  for (const { process } of instances) process.kill('SIGKILL')
  const firing = await until(async () => {
    const alerts = (await get('alerts'))?.alerts ?? []
    const down = alerts.filter(
      ({ labels, state }) => labels.alertname === 'PortalDown' && state === 'firing'
    )
    return down.length === 2 ? down : undefined
  })
  t.same(firing.map(({ labels }) => labels.instance).sort(), targets.toSorted())
})

t.test('errors, lost targets, a failing webhook, and nothing else raise alerts', async (t) => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'test.json')
  const at = (time: string, alertname: string, expected: object[]) =>
    Object.fromEntries([
      ['eval_time', time],
      ['alertname', alertname],
      ['exp_alerts', expected]
    ])
  const summary = (text: string) => ({ exp_annotations: { summary: text } })
  writeFileSync(
    file,
    JSON.stringify({
      rule_files: [rules],
      evaluation_interval: '15s',
      tests: [
        {
          interval: '15s',
          input_series: [
            { series: 'up{job="portal",instance="a"}', values: '1x40' },
            { series: 'portal_ready{job="portal",instance="a"}', values: '1x40' },
            { series: 'portal_server_errors_total{status="503"}', values: '0x8 1x32' },
            { series: 'portal_server_errors_total{status="500"}', values: '0x40' }
          ],
          alert_rule_test: [
            at('2m', 'PortalErrors', []),
            at('3m', 'PortalErrors', [
              {
                exp_labels: { severity: 'page', status: '503' },
                ...summary('The portal answers with 503')
              }
            ]),
            at('9m', 'PortalErrors', []),
            at('9m', 'PortalDown', []),
            at('9m', 'PortalNotReady', [])
          ]
        },
        {
          interval: '1m',
          input_series: [
            { series: 'portal_webhook_failing{instance="a"}', values: '0x9 1x110' },
            { series: 'portal_webhook_failing{instance="b"}', values: '0x9 1x110' },
            { series: 'portal_webhook_oldest_seconds{instance="a"}', values: '0x89 3599x9 3601x20' }
          ],
          alert_rule_test: [
            at('65m', 'PortalWebhookFails', []),
            at('75m', 'PortalWebhookFails', [
              summary('A webhook has failed for an hour, or was paused for it')
            ]),
            at('95m', 'PortalWebhookWaits', []),
            at('110m', 'PortalWebhookWaits', [
              summary('An event for a webhook has waited for more than an hour')
            ])
          ]
        },
        {
          interval: '15s',
          input_series: [{ series: 'up{job="other"}', values: '1x40' }],
          alert_rule_test: [
            at('2m', 'PortalDown', [
              {
                exp_labels: { severity: 'page', job: 'portal' },
                ...summary('An instance of the portal does not answer')
              }
            ])
          ]
        }
      ]
    })
  )
  const { stdout } = await promisify(execFile)(`${promtool}`, ['test', 'rules', file]).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr })
  )
  t.match(stdout, /SUCCESS/)
})
