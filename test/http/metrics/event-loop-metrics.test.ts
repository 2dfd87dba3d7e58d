// Not on PGlite: it uses no database.

import client from 'prom-client'
import t from 'tap'
import { addEventLoopMetrics } from '../../../src/http/metrics/event-loop-metrics.ts'
import { until } from '../../support/app.ts'

/** The longest delay that a reader sees, in milliseconds. */
function measured(t: { teardown: (end: () => Promise<void>) => void }, period?: number) {
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  t.teardown(addEventLoopMetrics(client, registry, period))
  return async () => {
    const all = await registry.getMetricsAsJSON()
    const found = all.find(({ name }) => name === 'nodejs_eventloop_lag_max_seconds')
    return Number(found?.values[0]?.value) * 1000
  }
}

function block(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

t.test('there is no value until a delay was measured', async (t) => {
  const registry = new client.Registry()
  t.teardown(addEventLoopMetrics(client, registry))
  const read = async () =>
    (await registry.getMetricsAsJSON()).map(({ values }) => Number(values[0]?.value))
  const first = await read()
  t.equal(first.length, 7)
  t.ok(first.every(Number.isNaN), 'not the bounds of an empty histogram')
  await until(async () => (await read()).every((value) => value >= 0))
  for (const value of await read()) t.ok(value < 60, 'in seconds')
})

t.test('a reader does not take the delays from the next one', async (t) => {
  const longest = measured(t)
  await until(async () => (await longest()) > 0)
  block(200)
  await until(async () => (await longest()) > 150)
  t.ok((await longest()) > 150)
  t.ok((await longest()) > 150)
})

t.test('the delays are those of the last full period', async (t) => {
  const longest = measured(t, 100)
  await until(async () => (await longest()) > 0)
  block(2000)
  await until(async () => (await longest()) > 1500)
  await until(async () => (await longest()) < 1500)
  t.ok((await longest()) < 1500, 'a past delay is forgotten')
})
