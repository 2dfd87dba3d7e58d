import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ownApp } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { root } from '../support/root.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { groups } = parse(read('deploy/prometheus-rules.yml')) as {
  groups: { rules: { alert: string; expr: string }[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as {
  panels: { description?: string; targets: { expr: string }[] }[]
}
const page = read('docs/do/watch.md')

t.test('the page about alerts says what to do about each of the shipped ones', async (t) => {
  const listed = [...page.matchAll(/^\| (`Portal\w+`(?:, `Portal\w+`)*) \|/gm)].flatMap(
    ([, names = '']) => names.replaceAll('`', '').split(', ')
  )
  t.same(
    listed,
    rules.map(({ alert }) => alert)
  )
})

t.test('counters of errors, sign-ins and checks are there before the first of each', async (t) => {
  const METRICS_PORT = await freePort()
  await ownApp(t, { METRICS_PORT })
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  for (const series of [
    'portal_server_errors_total{status="500"}',
    'portal_server_errors_total{status="503"}',
    ...['success', 'second-factor', 'refused', 'throttled', 'overloaded', 'error'].map(
      (outcome) => `portal_logins_total{outcome="${outcome}"}`
    ),
    ...['allowed', 'signed-out', 'denied', 'unavailable', 'error'].map(
      (outcome) => `portal_checks_total{outcome="${outcome}"}`
    )
  ]) {
    t.ok(text.includes(`${series} 0\n`), series)
  }
})

t.test('the portal has every metric of the shipped alerts and of the dashboard', async (t) => {
  const METRICS_PORT = await freePort()
  await ownApp(t, { METRICS_PORT })
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  const optional = 'portal_settings_rejected_total'
  const used = new Set(
    [...rules, ...panels.flatMap(({ targets }) => targets)]
      .flatMap(({ expr }) => expr.match(/\b(?:portal|nodejs|process)_\w+/g) ?? [])
      .map((name) => name.replace(/_(?:bucket|count)$/, ''))
  )
  t.ok(used.size > 20)
  const missing = [...used].filter(
    (name) => name !== optional && !new RegExp(`^# TYPE ${name} `, 'm').test(text)
  )
  t.same(missing, [])
  for (const name of used) if (name.startsWith('portal_')) t.ok(page.includes(`\`${name}\``), name)
})

t.test('the dashboard names alerts and pages that exist', async (t) => {
  const named = panels.flatMap(({ description }) => description?.match(/Portal\w+|docs\S+/g) ?? [])
  t.ok(named.length > 4)
  for (const name of named) {
    t.ok(
      name.startsWith('docs/')
        ? existsSync(path.join(root, name))
        : rules.some(({ alert }) => alert === name),
      name
    )
  }
})
