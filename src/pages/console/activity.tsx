import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'
import { Dialog } from '../shared/dialog.tsx'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Time } from '../shared/time.tsx'
import { ActivityTable, textOf } from './activity-table.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { CommandLine } from './command-line.tsx'
import { countsOf, lengthOf } from './counts.ts'
import { Facts } from './facts.tsx'
import { addressOf, Paging, useFilters } from './filters.tsx'
import { Plot } from './plot.tsx'

type Outcome = Schemas['ActivityRecord']['outcome']
interface Query {
  action?: string
  outcome?: Outcome
  actorId?: string
  targetId?: string
  ip?: string
  sessionId?: string
  requestId?: string
  from?: string
  to?: string
}

export function Activity() {
  const [{ record, ...filters }, setFilters] = useFilters([
    'action',
    'outcome',
    'actorId',
    'targetId',
    'ip',
    'sessionId',
    'requestId',
    'from',
    'to',
    'sort',
    'record'
  ])
  const { cursor, sort, ...query } = filters as typeof filters & Query
  const listed = { ...query, ...(sort && { sort: sort as 'at' }), ...(cursor && { cursor }) }
  const list = useGet('/api/admin/activity', { query: { ...listed, limit: 50 } })
  const summary = useGet('/api/admin/activity/summary', { query: inPeriod(query) })
  const search = new URLSearchParams(listed as Record<string, string>).toString()
  return (
    <Page title="Activity">
      <ActivityFilters
        filters={filters}
        actions={(summary.value?.items ?? []).map(({ action }) => action)}
        onChange={setFilters}
      />
      <div class="actions">
        <Action
          label="Reload"
          kind="outline"
          onPress={() => Promise.all([list.reload(), summary.reload()])}
        />
      </div>
      <div class="plot-space">
        <Loaded from={summary}>
          {(counted) => {
            const { times, valuesOf } = countsOf(counted)
            const series = (['success', 'failure'] as const).map((name) => ({
              name,
              values: valuesOf(({ outcome }) => outcome === name)
            }))
            return <Plot kind="bars" title="Records" times={times} series={series} />
          }}
        </Loaded>
      </div>
      <Loaded from={list}>
        {({ items, nextCursor }) => (
          <>
            <ActivityTable
              label="Activity"
              items={items}
              empty="No record matches these filters."
              filters={filters}
            />
            <Paging filters={filters} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      {record !== undefined && <Details id={record} onClose={() => setFilters(filters)} />}
      <CommandLine
        words={[
          'activity list',
          ['--action', query.action],
          ['--outcome', query.outcome],
          ['--actor', query.actorId],
          ['--target', query.targetId],
          ['--ip', query.ip],
          ['--session', query.sessionId],
          ['--request', query.requestId],
          ['--from', query.from],
          ['--to', query.to],
          ['--sort', sort]
        ]}
        path={`/api/admin/activity${search && `?${search}`}`}
      />
    </Page>
  )
}

/** By the hour if the period allows it, else by the day: at most the last 92 days of it. */
function inPeriod(query: Query) {
  const to = query.to === undefined ? Date.now() : Date.parse(query.to)
  const length = to - Date.parse(query.from ?? '')
  const bucket = length <= 7 * lengthOf.day ? ('hour' as const) : ('day' as const)
  if (length <= 92 * lengthOf.day) return { ...query, bucket }
  const { from, ...rest } = query
  return { ...rest, bucket }
}

/** A record in full. */
function Details({ id, onClose }: { id: string; onClose(): void }) {
  const record = useGet('/api/admin/activity/{id}', { path: { id } })
  return (
    <Dialog title="Activity record" onClose={onClose}>
      <Loaded from={record}>
        {({ at, details, requestId, sessionId, ...others }) => (
          <Facts
            of={{
              at: <Time at={at} />,
              ...others,
              requestId: requestId && (
                <Link href={addressOf('/activity', { requestId })}>{requestId}</Link>
              ),
              sessionId: sessionId && (
                <Link href={addressOf('/activity', { sessionId })}>{sessionId}</Link>
              ),
              details: textOf(details)
            }}
          />
        )}
      </Loaded>
      <CommandLine words={['activity show', id]} path={`/api/admin/activity/${id}`} />
      <button type="button" class="secondary" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}
