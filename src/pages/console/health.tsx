import { useEffect } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { lazily } from '../shared/lazily.ts'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Table } from './list/table.tsx'
import { hasSessionEnded } from '../shared/session.ts'
import { Plot } from './plot.tsx'
import { growth, interval, levels, withSample } from './samples.ts'
import type { Sample, Samples, Value } from './samples.ts'

const time = lazily(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }))
const inDigits = (maximumSignificantDigits: number) =>
  lazily(() => new Intl.NumberFormat(undefined, { maximumSignificantDigits }))
const mean = inDigits(3)
const number = inDigits(6)

export function Health() {
  const loaded = useLoaded<Samples>('samples', async (signal, before = []) =>
    withSample(before, await ok(portal.GET('/api/admin/metrics', { signal })), Date.now())
  )
  usePolling(loaded.reload)
  return (
    <Page
      title="Health"
      about={`This instance in the last five minutes, read every ${interval / 1000} seconds.`}
    >
      <Loaded from={loaded}>
        {(samples) => (
          <>
            <Lines samples={samples} />
            <h2>Responses</h2>
            <Responses metrics={samples.at(-1)?.metrics ?? []} />
            <details>
              <summary>All numbers</summary>
              <Numbers metrics={samples.at(-1)?.metrics ?? []} />
            </details>
          </>
        )}
      </Loaded>
      <p class="command">
        In production, Prometheus reads these numbers at <code>METRICS_PORT</code>. To check the
        portal on the command line: <code>portal doctor</code>
      </p>
    </Page>
  )
}

/** Loads again at each interval while the page is visible, one at a time. */
function usePolling(load: () => Promise<void>) {
  useEffect(() => {
    let isUnderWay = false
    const poll = async () => {
      if (document.hidden || hasSessionEnded.value || isUnderWay) return
      isUnderWay = true
      await load()
      isUnderWay = false
    }
    const begin = () => {
      void poll()
    }
    const timer = setInterval(begin, interval)
    document.addEventListener('visibilitychange', begin)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', begin)
    }
  }, [])
}

const megabytes = 1 / 1_048_576
const duration = 'portal_http_request_duration_seconds'

function Lines({ samples }: { samples: Samples }) {
  const plots = [
    {
      title: 'Requests per second',
      unit: '',
      series: { requests: growth(samples, `${duration}_count`) }
    },
    {
      title: 'Mean response time',
      unit: ' ms',
      series: { mean: growth(samples, `${duration}_sum`, `${duration}_count`, 1000) }
    },
    {
      title: 'Processor',
      unit: ' %',
      series: { used: growth(samples, 'process_cpu_seconds_total', undefined, 100) }
    },
    {
      title: 'Memory',
      unit: ' MB',
      series: {
        process: levels(samples, 'process_resident_memory_bytes', megabytes),
        heap: levels(samples, 'nodejs_heap_size_used_bytes', megabytes)
      }
    },
    {
      title: 'Event loop delay',
      unit: ' ms',
      series: {
        'p99 of the last full minute': levels(samples, 'nodejs_eventloop_lag_p99_seconds', 1000)
      }
    },
    {
      title: 'Work under way',
      unit: '',
      series: {
        database: levels(samples, 'portal_database_in_flight'),
        'password hashes': levels(samples, 'portal_hashes_running'),
        'waiting for a hash': levels(samples, 'portal_hashes_waiting')
      }
    }
  ]
  const offset = samples.findIndex((sample) => sample !== undefined)
  const first = samples[offset]?.at ?? 0
  const times = samples.map((sample, index) => sample?.at ?? first + (index - offset) * interval)
  return (
    <div class="plots">
      {plots.map(({ title, unit, series }) => (
        <Plot
          key={title}
          kind="lines"
          title={title}
          unit={unit}
          times={times}
          format={(at) => time().format(at)}
          series={Object.entries(series).map(([name, values]) => ({ name, values }))}
        />
      ))}
    </div>
  )
}

interface MetricsProps {
  metrics: Sample['metrics']
}

/** Of routes: how many responses there were since the start, and how long they took. */
function Responses({ metrics }: MetricsProps) {
  const values = metrics.find(({ name }) => name === duration)?.values ?? []
  const labelsOf = ({ labels: { method, route, status } }: Value) => `${method} ${route} ${status}`
  const of = (kind: string) => values.filter(({ name }) => name === `${duration}_${kind}`)
  const sums = new Map(of('sum').map((each) => [labelsOf(each), each.value ?? 0]))
  return (
    <Table
      label="Responses"
      items={of('count').sort((a, b) => (b.value ?? 0) - (a.value ?? 0))}
      keyOf={labelsOf}
      empty="There were no responses yet."
      columns={[
        { title: 'Method', cell: ({ labels }) => labels.method },
        { title: 'Route', cell: ({ labels }) => labels.route },
        { title: 'Status', cell: ({ labels }) => labels.status },
        { title: 'Responses', cell: ({ value }) => value },
        {
          title: 'Mean',
          cell: (each) =>
            `${mean().format(((sums.get(labelsOf(each)) ?? 0) / (each.value || 1)) * 1000)} ms`
        }
      ]}
    />
  )
}

/** Histograms are left out: they have a number for each of many buckets. */
function Numbers({ metrics }: MetricsProps) {
  const items = metrics
    .filter(({ type }) => type !== 'histogram')
    .flatMap(({ help, values }) => values.map((value) => ({ ...value, help })))
  const nameOf = ({ name, labels }: Value) =>
    [name, ...Object.entries(labels).map(([label, value]) => `${label}=${value}`)].join(' ')
  return (
    <Table
      label="All numbers"
      items={items}
      keyOf={(each) => nameOf(each)}
      empty="There are no numbers yet."
      columns={[
        { title: 'Name', cell: (each) => nameOf(each) },
        { title: 'Value', cell: ({ value }) => (value === null ? '–' : number().format(value)) },
        { title: 'Meaning', cell: ({ help }) => help }
      ]}
    />
  )
}
