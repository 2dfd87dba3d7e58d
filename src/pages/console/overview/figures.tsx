import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { settings } from '../../shared/page.tsx'
import { Command } from '../command-line.tsx'
import { countsOf } from '../counts.ts'
import { grouped } from '../grouped.ts'
import { addressOf } from '../list/address.ts'
import { Plot } from '../plot.tsx'
import { alertsOf, changeOf } from './alerts.ts'
import type { Happened } from './event-counts.ts'

interface StateProps {
  overview: Schemas['Overview']
  /** In the period that is shown, and in the one before. */
  now: Happened
  before: Happened
  /** When the period begins, and how it is called. */
  from: string
  period: string
}

/** Whether something is wrong, and what. */
export function Attention({ overview, now, from, period }: StateProps) {
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
        <>
          <p>
            <span class="chip good">Ready</span>Nothing needs attention.
          </p>
          {overview.users.count < 2 && settings.firstAdmin && (
            <Command intro="With made-up data:" command="npm run dev -- --sample" />
          )}
        </>
      ) : (
        <ul class="rows">
          {needs.map(({ text, action, href }) => (
            <li key={text}>
              <span>{text}</span>
              <Link href={href}>{action}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Four numbers, each with its change. */
export function Figures({ overview, now, before, from, period }: StateProps) {
  const { users, liveSessions } = overview
  const signIns = (outcome: string) =>
    addressOf('/activity', { action: 'auth.login', outcome, from })
  const signed = (change: number) => (change < 0 ? `−${-change}` : `+${change}`)
  return (
    <dl class="figures">
      <Figure name="Users" change={`${signed(now.users)} in ${period}`}>
        <Link href="/users">{estimated(users)}</Link>
      </Figure>
      <Figure name="Live sessions" change={`${now.signIns} begun in ${period}`}>
        <Link href="/sessions?state=active">{estimated(liveSessions)}</Link>
      </Figure>
      <Figure name="Sign-ins" change={changeOf(now.signIns, before.signIns, period)}>
        <Link href={signIns('success')}>{grouped(now.signIns)}</Link>
      </Figure>
      <Figure name="Failed sign-ins" change={changeOf(now.failures, before.failures, period)}>
        <Link href={signIns('failure')}>{grouped(now.failures)}</Link>
      </Figure>
    </dl>
  )
}

interface FigureProps {
  name: string
  change: string
  children: ComponentChildren
}

const Figure = ({ name, change, children }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {children} <small>{change}</small>
    </dd>
  </div>
)

const estimated = ({ count, approximate }: { count: number; approximate: boolean }) =>
  `${approximate ? 'about ' : ''}${grouped(count)}`

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

/** Plots the events of the summary by time. */
export function Plots(summary: Schemas['ActivitySummary']) {
  const { valuesOf, ...axis } = countsOf(summary)
  return (
    <div class="plots">
      {plots.map(({ title, parts }) => (
        <Plot
          key={title}
          title={title}
          {...axis}
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
