import type { Schemas } from '../../shared/client.ts'
import { countsOf } from '../counts.ts'
import { addressOf } from '../list/address.ts'
import { Plot } from '../plot.tsx'

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

/** What has happened in the period of the summary, by time. */
export function Plots(summary: Schemas['ActivitySummary']) {
  const { valuesOf, ...axis } = countsOf(summary)
  return (
    <div class="plots">
      {plots.map(({ title, parts }) => (
        <Plot
          key={title}
          kind="bars"
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
