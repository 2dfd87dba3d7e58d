import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { ActivityTable } from './activity-table.tsx'
import { CommandLine } from './command-line.tsx'
import { countsOf, startOf } from './counts.ts'
import { addressOf, useFilters } from './filters.tsx'
import { Plot } from './plot.tsx'

type Summary = Schemas['ActivitySummary']

const periods = {
  '48-hours': { title: '48 hours', bucket: 'hour', count: 48 },
  '30-days': { title: '30 days', bucket: 'day', count: 30 }
} as const

export function Overview() {
  const [{ period: given }] = useFilters(['period'])
  const period = given === '30-days' ? given : '48-hours'
  const { bucket, count } = periods[period]
  const from = new Date(startOf(bucket, Date.now(), count - 1)).toISOString()
  const state = useGet('/api/admin/overview')
  const summary = useGet('/api/admin/activity/summary', { query: { bucket, from } })
  const failures = useGet('/api/admin/activity', { query: { outcome: 'failure', limit: 10 } })
  const all = [state, summary, failures]
  return (
    <Page title="Overview">
      <Loaded from={state}>{(overview) => <Figures {...overview} />}</Loaded>
      <div class="actions">
        <nav aria-label="Period of the plots">
          <ul>
            {Object.entries(periods).map(([name, { title }]) => (
              <li key={name}>
                <Link
                  href={addressOf('~/console', { period: name })}
                  aria-current={name === period ? 'true' : undefined}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Action
          label="Reload"
          kind="outline"
          onPress={() => Promise.all(all.map(({ reload }) => reload()))}
        />
      </div>
      <div class="plot-space">
        <Loaded from={summary}>{(counted) => <Plots {...counted} />}</Loaded>
      </div>
      <h2>Last failures</h2>
      <Loaded from={failures}>
        {({ items }) => (
          <>
            <ActivityTable label="Last failures" items={items} empty="Nothing has failed." />
            <Link href={addressOf('/activity', { outcome: 'failure' })}>All failures</Link>
          </>
        )}
      </Loaded>
      <CommandLine words={['overview']} />
    </Page>
  )
}

function Figures(overview: Schemas['Overview']) {
  const { ready, reason, version, database, users, liveSessions, outbox } = overview
  return (
    <dl class="figures">
      <Figure name="State">
        {ready ? 'Ready' : `Not ready: ${reasons[reason ?? 'starting']}`}
      </Figure>
      <Figure name="Users">
        <Link href="/users">{estimated(users)}</Link>
      </Figure>
      <Figure name="Live sessions">
        <Link href="/sessions?state=active">{estimated(liveSessions)}</Link>
      </Figure>
      <Figure name="Pending mail">
        <Link href="/mail?state=pending">{outbox.pending}</Link>
        {outbox.pending > 0 && <small> oldest: {age(outbox.oldestSeconds)}</small>}
      </Figure>
      <Figure name="Dead mail">
        <Link href="/mail?state=dead">{outbox.dead}</Link>
      </Figure>
      <Figure name="Version">{version}</Figure>
      <Figure name="Database">
        {database.label} <small>PostgreSQL {database.version}</small>
      </Figure>
    </dl>
  )
}

const Figure = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const reasons = {
  starting: 'it is starting',
  draining: 'it is shutting down',
  database: 'the database is unavailable',
  migrations: 'the database schema is older than the portal',
  epochs: 'rows of the epochs are missing; portal refresh adds them'
}

const estimated = ({ count, approximate }: { count: number; approximate: boolean }) =>
  `${approximate ? 'about ' : ''}${count.toLocaleString()}`

const age = (seconds: number) =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`

const plots = [
  {
    title: 'Sign-ins',
    parts: [
      { name: 'success', action: 'auth.login', outcome: 'success', tone: 0 },
      { name: 'failure', action: 'auth.login', outcome: 'failure', tone: 1 }
    ]
  },
  {
    title: 'Registrations',
    parts: [
      { name: 'success', action: 'auth.register', outcome: 'success', tone: 0 },
      { name: 'failure', action: 'auth.register', outcome: 'failure', tone: 1 }
    ]
  },
  {
    title: 'Refusals',
    parts: [
      { name: 'permission denied', action: 'access.denied', tone: 1 },
      { name: 'token rejected', action: 'auth.token-rejected', tone: 2 },
      { name: 'cross-site', action: 'request.cross-site', tone: 3 }
    ]
  },
  {
    title: 'Rate limits reached',
    parts: [{ name: 'requests rejected', action: 'throttle.limited', tone: 1 }]
  }
] as const

function Plots(summary: Summary) {
  const { times, valuesOf } = countsOf(summary)
  return (
    <div class="plots">
      {plots.map(({ title, parts }) => (
        <Plot
          key={title}
          kind="bars"
          title={title}
          times={times}
          series={parts.map(({ name, tone, ...filter }) => ({
            name,
            tone,
            values: valuesOf(
              ({ action, outcome }) =>
                action === filter.action && (!('outcome' in filter) || outcome === filter.outcome)
            ),
            href: addressOf('/activity', { ...filter, from: summary.from })
          }))}
        />
      ))}
    </div>
  )
}
