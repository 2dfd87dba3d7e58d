import './overview/overview.css'
import { Link } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { Loaded, renew, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { joined } from './activity/merge-repeated.ts'
import { Records } from './activity/records.tsx'
import { CommandLine } from './command-line.tsx'
import { startOf } from './counts.ts'
import { addressOf, useParameters } from './list/address.ts'
import { Attention, Figures, Plots } from './overview/figures.tsx'
import { happenedIn } from './overview/event-counts.ts'

const periods = {
  '48-hours': { title: '48 hours', bucket: 'hour', count: 48 },
  '30-days': { title: '30 days', bucket: 'day', count: 30 }
} as const

type Period = (typeof periods)[keyof typeof periods]

export function Overview() {
  const [{ period: given }] = useParameters(['period'])
  const name = given === '30-days' ? given : '48-hours'
  const period = periods[name]
  return (
    <Page
      title="Overview"
      about="Whether something needs attention, and what has happened."
      action={
        <>
          <nav class="period" aria-label="Period">
            <ul>
              {Object.entries(periods).map(([each, { title }]) => (
                <li key={each}>
                  <Link
                    href={addressOf('~/console', { period: each })}
                    aria-current={each === name ? 'true' : undefined}
                  >
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <Action label="Reload" kind="outline" onPress={renew} />
        </>
      }
    >
      <State {...period} />
      <h2>Activity</h2>
      <div class="plot-space">
        <Course {...period} />
      </div>
      <h2>Last failures</h2>
      <Failures />
      <Version />
      <CommandLine words={['overview']} />
    </Page>
  )
}

// Each part loads by itself, so that it alone is rendered again when its response arrives.

/** Loads the events of a period and of the one before. */
function useSummary({ bucket, count }: Period) {
  const start = (ago: number) => startOf(bucket, Date.now(), ago)
  const [earlier, first, end] = [start(2 * count - 1), start(count - 1), start(-1)]
  const query = { bucket, from: new Date(earlier).toISOString() }
  const summary = useGet('/api/admin/activity/summary', { query })
  return { summary, earlier, first, end, from: new Date(first).toISOString() }
}

/** Shows the alerts and the figures. */
function State(period: Period) {
  const state = useGet('/api/admin/overview')
  const { summary, earlier, first, end, from } = useSummary(period)
  return (
    <Loaded from={state}>
      {(overview) => (
        <Loaded from={summary}>
          {(counted) => {
            const shown = {
              ...{ overview, from, period: period.title },
              now: happenedIn(counted, first, end),
              before: happenedIn(counted, earlier, first)
            }
            return (
              <>
                <Attention {...shown} />
                <Figures {...shown} />
              </>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

/** Shows the events by time. */
function Course(period: Period) {
  const { summary, from } = useSummary(period)
  return <Loaded from={summary}>{(counted) => <Plots {...counted} from={from} />}</Loaded>
}

function Version() {
  const { value } = useGet('/api/admin/overview')
  return (
    value && (
      <p class="muted">
        <small>
          Version {value.version}. {value.database.label} (version {value.database.version}).
        </small>
      </p>
    )
  )
}

function Failures() {
  const failures = useGet('/api/admin/activity', { query: { outcome: 'failure', limit: 20 } })
  return (
    <Loaded from={failures}>
      {({ items }) => (
        <>
          <Records
            label="Last failures"
            items={joined(items).slice(0, 5)}
            empty="Nothing has failed."
          />
          {items.length > 0 && (
            <p>
              <Link href={addressOf('/activity', { outcome: 'failure' })}>All failures</Link>
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}
