import { Link } from 'wouter-preact'
import { Choice, Field } from '../../shared/controls.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { formatTime } from '../../shared/time-format.ts'
import { CommandLine } from '../command-line.tsx'
import { countsOf } from '../counts.ts'
import { UserFilter } from '../list/user-filter.tsx'
import { addressOf, useParameters } from '../list/address.ts'
import { useList } from '../list/use-list.ts'
import type { Values } from '../list/address.ts'
import { ListView } from '../list/view.tsx'
import { Plot } from '../plot.tsx'
import { mergeRepeated } from './merge-repeated.ts'
import { Records } from './records.tsx'
import { sentenceOf } from './sentences.ts'
import type { ActivityRecord } from './sentences.ts'
import { toInputs, toAddress, usual, periodOf } from './period.ts'
import { Empty, Facts } from '../parts.tsx'

const who = ['actorId', 'targetId', 'ip', 'sessionId', 'requestId'] as const

const names = ['action', 'outcome', ...who, 'from', 'to', 'sort'] as const

export function Activity() {
  const list = useList('/api/admin/activity', names)
  const { filters, onFilter } = list
  const [{ record }] = useParameters(['record'])
  const { cursor, sort, ...query } = filters
  const summary = useGet('/api/admin/activity/summary', { query: periodOf(query) })
  const actions = [...new Set(summary.value?.items.map(({ action }) => action))]
  return (
    <>
      <ListView
        {...list}
        title="Activity"
        noun="records"
        about="What changed and what was rejected: who did it, when and from where."
        inputs={toInputs(filters)}
        onFilter={(values, isTyped) => onFilter(toAddress(values, filters), isTyped)}
        fields={fields(filters)}
        more={moreFields(filters, actions)}
        summary={
          <div class="plot-space">
            <Loaded from={summary}>
              {(counted) => {
                const { valuesOf, ...axis } = countsOf(counted)
                const series = (['success', 'failure'] as const).map((name) => ({
                  name,
                  values: valuesOf(({ outcome }) => outcome === name)
                }))
                const isUsual = query.from === undefined && query.to === undefined
                const title = isUsual ? `Records of the last ${usual} days` : 'Records'
                return <Plot title={title} {...axis} series={series} />
              }}
            </Loaded>
          </div>
        }
        orders={['-at', 'at']}
        empty={
          <Empty title="Nothing has happened yet" command="portal activity list">
            Sign-ins, changes and refusals are recorded here, and never changed.
          </Empty>
        }
        command={[
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
      >
        {(items) => (
          <Records
            label="Activity"
            items={mergeRepeated(items)}
            empty=""
            heading="h2"
            filters={filters}
          />
        )}
      </ListView>
      {record !== undefined && <Details id={record} onClose={() => onFilter(filters)} />}
    </>
  )
}

/** A record in full. What it shares with others leads to them. */
function Details({ id, onClose }: { id: string; onClose(): void }) {
  const record = useGet('/api/admin/activity/{id}', { path: { id } })
  return (
    <Dialog title="Activity record" onClose={onClose}>
      <Loaded from={record}>
        {(record) => (
          <>
            <p>{sentenceOf(record)}.</p>
            <Facts of={factsOf(record)} />
          </>
        )}
      </Loaded>
      <CommandLine words={['activity show', id]} />
      <button type="button" class="secondary" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

/** The names are those of the API. */
function factsOf({ at, details, ...record }: ActivityRecord) {
  const { action, actorId, targetId, ip, requestId, sessionId, actor, target, ...others } = record
  const shared = { action, actorId, targetId, ip, requestId, sessionId }
  const links = Object.entries(shared).map(([name, value]) => [
    name,
    // oxlint-disable-next-line react/jsx-key -- it is in a pair, not in a list
    value && <Link href={addressOf('/activity', { [name]: value })}>{value}</Link>
  ])
  return {
    at: (
      <time dateTime={at} title={at}>
        {formatTime(at)}
      </time>
    ),
    ...others,
    ...Object.fromEntries(links),
    details: Object.keys(details).length > 0 ? <code>{JSON.stringify(details)}</code> : undefined
  }
}

/** The filters that people use most. */
const fields = ({ actorId }: Values<'actorId'>) => (
  <>
    <UserFilter label="Done by" name="actorId" value={actorId} />
    <Choice
      label="Outcome"
      name="outcome"
      options={[
        ['', 'Every outcome'],
        ['success', 'Success'],
        ['failure', 'Failure']
      ]}
    />
  </>
)

/** The others. `actions` are to choose from. */
const moreFields = ({ targetId }: Values<'targetId'>, actions: string[]) => ({
  names: ['targetId', 'action', 'ip', 'sessionId', 'requestId', 'from', 'to'],
  fields: (
    <>
      <UserFilter label="Done to" name="targetId" value={targetId} takesKeys />
      <Field label="Action" name="action" list="actions" maxLength={40} placeholder="auth.login" />
      <datalist id="actions">
        {actions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <Field label="Address or network" name="ip" maxLength={49} placeholder="203.0.113.0/24" />
      <Field label="Session id" name="sessionId" maxLength={36} />
      <Field label="Request id" name="requestId" maxLength={45} />
      <Field label="From" name="from" type="datetime-local" step="any" />
      <Field label="Before" name="to" type="datetime-local" step="any" />
    </>
  )
})
