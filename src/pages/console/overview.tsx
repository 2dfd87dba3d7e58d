import './overview/overview.css'
import { Link } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { Loaded, reloadAll, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { mergeRepeated } from './activity/merge-repeated.ts'
import { Records } from './activity/records.tsx'
import { CommandLine } from './command-line.tsx'
import { countEvents, countsOf } from './counts.ts'
import type { EventCounts } from './counts.ts'
import { addressOf, useParameters } from './list/address.ts'
import type { Schemas } from '../shared/client.ts'
import { grouped } from './grouped.ts'
import { Periods } from './periods.tsx'
import { Plot } from './plot.tsx'
import { sum } from './plot-shapes.ts'
import { alertsOf, changeOf } from './overview/alerts.ts'
import { FirstSteps } from './overview/first-steps.tsx'
import { periods, useSummary } from './overview/summary.ts'
import type { Period } from './overview/summary.ts'

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
          <Periods
            of={Object.entries(periods).map(([each, { title }]) => ({
              title,
              href: addressOf('~/console', { period: each }),
              isCurrent: each === name
            }))}
          />
          <Action label="Reload" kind="outline" onPress={reloadAll} />
        </>
      }
    >
      <State {...period} />
      <FirstSteps />
      <Course {...period} />
      <Failures />
      <CommandLine words={['overview']} />
    </Page>
  )
}

// Each part loads by itself, so that it alone is rendered again when its response arrives.

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
              now: countEvents(counted, first, end),
              before: countEvents(counted, earlier, first)
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

function Course(period: Period) {
  const { summary, from } = useSummary(period)
  return <Loaded from={summary}>{(counted) => <Plots {...counted} from={from} />}</Loaded>
}

const Failures = () => (
  <Loaded from={useGet('/api/admin/activity', { query: { outcome: 'failure', limit: 20 } })}>
    {({ items }) =>
      items.length > 0 && (
        <>
          <h2>Last failures</h2>
          <Records
            label="Last failures"
            items={mergeRepeated(items).slice(0, 5)}
            empty="Nothing has failed."
          />
          <p>
            <Link href={addressOf('/activity', { outcome: 'failure' })}>All failures</Link>
          </p>
        </>
      )
    }
  </Loaded>
)

interface StateProps {
  overview: Schemas['Overview']
  /** In the period that is shown, and in the one before. */
  now: EventCounts
  before: EventCounts
  /** When the period begins, and how it is called. */
  from: string
  period: string
}

/** Whether something is wrong, and what. */
function Attention({ overview, now, from, period }: StateProps) {
  const needs = alertsOf(overview, {
    ...{ from, period },
    successes: now.signIns,
    failures: now.failures
  })
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention" class={needs.length === 0 ? 'unseen' : undefined}>
        Needs attention
      </h2>
      {needs.length === 0 ? (
        <p>
          <span class="chip good">Ready</span>Nothing needs attention.
        </p>
      ) : (
        <ul class="rows">
          {needs.map(({ name, text, href }) => (
            <li key={text}>
              <span>{text}</span>
              <Link href={href}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Four numbers, each with its change. */
function Figures({ overview, now, before, from, period }: StateProps) {
  const { users, liveSessions } = overview
  const signIns = (outcome: string) =>
    addressOf('/activity', { action: 'auth.login', outcome, from })
  const signed = (change: number) => (change < 0 ? '−' : '+') + grouped(Math.abs(change))
  const begun = `${grouped(now.signIns)} begun in ${period}`
  const successes = changeOf(now.signIns, before.signIns, period)
  const failures = changeOf(now.failures, before.failures, period)
  const figures = [
    ['Users', '/users', estimated(users), `${signed(now.users)} in ${period}`],
    ['Live sessions', '/sessions?state=active', estimated(liveSessions), begun],
    ['Sign-ins', signIns('success'), grouped(now.signIns), successes],
    ['Failed sign-ins', signIns('failure'), grouped(now.failures), failures]
  ] as const
  return (
    <ul class="figures">
      {figures.map(([name, href, count, change]) => (
        <li key={name}>
          <Link class="card" href={href}>
            {name}
            <strong>{count}</strong> <small>{change}</small>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const estimated = ({ count, approximate }: { count: number; approximate: boolean }) =>
  `${approximate ? 'about ' : ''}${grouped(count)}`

interface PlotPart {
  name: string
  action: string
  outcome?: 'success' | 'failure'
  tone: number
}

const outcomesOf = (action: string): PlotPart[] =>
  (['success', 'failure'] as const).map((name, tone) => ({ name, action, outcome: name, tone }))

const plots: { title: string; parts: PlotPart[] }[] = [
  { title: 'Sign-ins', parts: outcomesOf('auth.login') },
  { title: 'Registrations', parts: outcomesOf('auth.register') },
  {
    title: 'Refusals',
    parts: [
      { name: 'too many attempts', action: 'throttle.limited', tone: 1 },
      { name: 'permission denied', action: 'access.denied', tone: 2 },
      { name: 'token rejected', action: 'auth.token-rejected', tone: 3 },
      { name: 'cross-site', action: 'request.cross-site', tone: 4 }
    ]
  }
]

/** Plots the events of the summary by time, if there are any. */
function Plots(summary: Schemas['ActivitySummary']) {
  const { valuesOf, ...axis } = countsOf(summary)
  const all = plots.map(({ title, parts }) => ({
    title,
    series: parts.map(({ name, tone, ...filter }) => ({
      name,
      tone,
      values: valuesOf(
        ({ action, outcome }) =>
          action === filter.action && (!filter.outcome || outcome === filter.outcome)
      ),
      href: addressOf('/activity', { ...filter, from: summary.from })
    }))
  }))
  const shown = all.filter(({ series }) => series.some(({ values }) => sum(values) > 0))
  return (
    <div class="plots">
      {shown.map((plot) => (
        <Plot key={plot.title} {...plot} {...axis} />
      ))}
    </div>
  )
}
