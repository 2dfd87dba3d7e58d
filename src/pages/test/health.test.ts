import t from 'tap'
import { mostOf, responseRows } from '../console/health/response-rows.ts'

const name = 'portal_http_request_duration_seconds'
const response = (route: string, status: string, count: number, seconds: number) => {
  const labels = { method: 'GET', route, status }
  return [
    { name: `${name}_bucket`, labels: { ...labels, le: '0.1' }, value: 1 },
    { name: `${name}_sum`, labels, value: seconds },
    { name: `${name}_count`, labels, value: count }
  ]
}
const metricsOf = (values: ReturnType<typeof response>) => [
  { name, help: '', type: 'histogram' as const, values }
]

t.test('server errors come first, then the routes with the most responses', async (t) => {
  const metrics = metricsOf([
    ...response('/rare', '200', 1, 0.5),
    ...response('/failing', '500', 2, 0.004),
    ...response('/busy', '200', 10, 0.1),
    ...response('/busy', '404', 4, 0)
  ])
  t.same(responseRows(metrics), [
    { route: 'GET /failing', status: '500', count: 2, mean: 2 },
    { route: 'GET /busy', status: '200', count: 10, mean: 10 },
    { route: 'GET /busy', status: '404', count: 4, mean: 0 },
    { route: 'GET /rare', status: '200', count: 1, mean: 500 }
  ])
  t.same(responseRows([]), [])
})

t.test('at first, ten routes are shown, and all server errors', async (t) => {
  const calm = Array.from({ length: 12 }, (_, n) => response(`/${n}`, '200', n + 100, 1))
  const failing = Array.from({ length: 3 }, (_, n) => response(`/${n}`, '503', n + 1, 1))
  const most = mostOf(responseRows(metricsOf([...calm, ...failing].flat())))
  t.equal(most.length, 13)
  t.same(
    most.slice(0, 4).map(({ route, status }) => `${route} ${status}`),
    ['GET /2 503', 'GET /1 503', 'GET /0 503', 'GET /11 200']
  )
})
