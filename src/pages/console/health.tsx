import { useEffect } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { hasSessionEnded } from '../shared/session.ts'
import { lazy } from '../shared/time-format.ts'
import { Command } from './command-line.tsx'
import { counted } from './grouped.ts'
import { isServerError, responseRows } from './health/response-rows.ts'
import { Responses } from './health/responses.tsx'
import { Table } from './list/table.tsx'
import { Plot } from './plot.tsx'
import { growth, interval, levels, most, withSample } from './samples.ts'
import type { Sample, Samples, Value } from './samples.ts'

const time = lazy(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }))
const number = lazy(() => new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 }))

export function Health() {
  const loaded = useLoaded<Samples>('samples', async (signal, before = []) =>
    withSample(before, await ok(portal.GET('/api/admin/metrics', { signal })), Date.now())
  )
  usePolling(loaded.reload)
  const { length = 0, 0: first } = loaded.value ?? []
  return (
    <Page
      title="Health"
      about={`This instance, read every ${interval / 1000} seconds while this view is open.${
        first && length < most ? ` Recording since ${time().format(first.at)}.` : ''
      }`}
    >
      <Loaded from={loaded}>{(samples) => <State samples={samples} />}</Loaded>
      <small class="muted">
        In production, Prometheus reads these numbers at the port <code>METRICS_PORT</code>.
      </small>
      <Command intro="To check the portal on the command line:" command="portal doctor" />
    </Page>
  )
}

function State({ samples }: { samples: Samples }) {
  const { metrics = [], totals } = samples.at(-1) ?? {}
  const isReady = totals?.get('portal_ready') === 1
  const rows = responseRows(metrics)
  const errors = rows.filter(isServerError).reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <p class="summary">
        <span class={`chip ${isReady ? 'good' : 'bad'}`}>{isReady ? 'Ready' : 'Not ready'}</span>
        This instance takes {isReady ? 'requests' : 'no requests'}.{' '}
        {counted(errors, 'server error')} since its start.
      </p>
      <Lines samples={samples} />
      <h2>Responses</h2>
      <Responses rows={rows} />
      <details>
        <summary>All numbers</summary>
        <Numbers metrics={metrics} />
      </details>
    </>
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
    // What grows needs two samples.
    const second = setTimeout(begin, 1000)
    const timer = setInterval(begin, interval)
    document.addEventListener('visibilitychange', begin)
    return () => {
      clearTimeout(second)
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
          // None of them is an outcome.
          series={Object.entries(series).map(([name, values], place) => ({
            ...{ name, values },
            tone: place + 2
          }))}
        />
      ))}
    </div>
  )
}

/** Histograms are left out: they have a number for each of many buckets. */
function Numbers({ metrics }: Pick<Sample, 'metrics'>) {
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
