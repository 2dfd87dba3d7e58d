import './overview/overview.css'
import { Link } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Records } from './activity/records.tsx'
import { CommandLine } from './command-line.tsx'
import { startOf } from './counts.ts'
import { addressOf, useParameters } from './list/address.ts'
import { Attention, Figures } from './overview/figures.tsx'
import { happenedIn } from './overview/happened.ts'
import { Plots } from './overview/plots.tsx'

const periods = {
  '48-hours': { title: '48 hours', bucket: 'hour', count: 48 },
  '30-days': { title: '30 days', bucket: 'day', count: 30 }
} as const

export function Overview() {
  const [{ period: given }] = useParameters(['period'])
  const period = given === '30-days' ? given : '48-hours'
  const { title, bucket, count } = periods[period]
  const start = (ago: number) => startOf(bucket, Date.now(), ago)
  const [earlier, first, end] = [start(2 * count - 1), start(count - 1), start(-1)]
  const from = new Date(first).toISOString()
  const state = useGet('/api/admin/overview')
  const summary = useGet('/api/admin/activity/summary', {
    query: { bucket, from: new Date(earlier).toISOString() }
  })
  const failures = useGet('/api/admin/activity', { query: { outcome: 'failure', limit: 10 } })
  const all = [state, summary, failures]
  return (
    <Page
      title="Overview"
      action={
        <Action
          label="Reload"
          kind="outline"
          onPress={() => Promise.all(all.map(({ reload }) => reload()))}
        />
      }
    >
      <Loaded from={state}>
        {(overview) => (
          <Loaded from={summary}>
            {(counted) => {
              const shown = {
                ...{ overview, from, period: title },
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
      <div class="titled">
        <h2>The last {title}</h2>
        <nav aria-label="Period">
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
      </div>
      <div class="plot-space">
        <Loaded from={summary}>{(counted) => <Plots {...counted} from={from} />}</Loaded>
      </div>
      <h2>Last failures</h2>
      <Loaded from={failures}>
        {({ items }) => (
          <>
            <Records label="Last failures" items={items} empty="Nothing has failed." />
            <Link href={addressOf('/activity', { outcome: 'failure' })}>All failures</Link>
          </>
        )}
      </Loaded>
      <CommandLine words={['overview']} />
    </Page>
  )
}
