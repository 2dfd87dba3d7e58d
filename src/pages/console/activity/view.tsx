import { Link } from 'wouter-preact'
import { browserOf } from '../../../common/browsers.ts'
import { Choice, Field } from '../../shared/controls.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { Action } from '../../shared/form.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Exact } from '../../shared/time.tsx'
import { CommandLine } from '../command-line.tsx'
import { countsOf } from '../counts.ts'
import { UserFilter } from '../list/user-filter.tsx'
import { addressOf, useParameters } from '../list/address.ts'
import { useList } from '../list/use-list.ts'
import type { Values } from '../list/address.ts'
import { ListView, optionsOf } from '../list/view.tsx'
import { Periods } from '../periods.tsx'
import { Plot } from '../plot.tsx'
import { actionOptions, wordsOf } from './action-words.ts'
import { mergeRepeated } from './merge-repeated.ts'
import { Records } from './records.tsx'
import { actorOf, sentenceOf, targetOf } from './sentences.ts'
import type { ActivityRecord } from './sentences.ts'
import { periodOf, recentDays, toAddress, toInputs, usual } from './period.ts'
import { Empty, Facts } from '../parts.tsx'

const who = ['actorId', 'targetId', 'ip', 'sessionId', 'requestId'] as const

const names = ['action', 'outcome', ...who, 'from', 'to', 'sort'] as const

export function Activity() {
  const list = useList('/api/admin/activity', names)
  const { filters, onFilter } = list
  const [{ record }] = useParameters(['record'])
  const { cursor, sort, ...query } = filters
  const summary = useGet('/api/admin/activity/summary', { query: periodOf(query) })
  const { from, to, ...others } = query
  const seen = summary.value?.items.map(({ action }) => action) ?? []
  return (
    <>
      <ListView
        {...list}
        title="Activity"
        noun="records"
        about="What changed and what was rejected: who did it, when and from where."
        inputs={toInputs(filters)}
        onFilter={(values, isTyped) => onFilter(toAddress(values, filters), isTyped)}
        fields={fields(filters, seen)}
        more={moreFields(filters)}
        summary={
          <div class="plot-space">
            <Periods
              of={recentDays().map(([title, days]) => ({
                title,
                href: addressOf('/activity', { ...others, ...days, ...(sort && { sort }) }),
                isCurrent: days.from === from && days.to === to
              }))}
            >
              <Action label="Between …" kind="plain" onPress={askBetween} />
            </Periods>
            <Loaded from={summary}>
              {(counted) => {
                const { valuesOf, ...axis } = countsOf(counted)
                const series = (['success', 'failure'] as const).map((name) => ({
                  name,
                  values: valuesOf(({ outcome }) => outcome === name)
                }))
                const isUsual = from === undefined && to === undefined
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
        command="activity list"
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
      {record !== undefined && (
        <Details
          {...{ id: record, filters, items: list.from.value?.items ?? [] }}
          onClose={() => onFilter(filters)}
        />
      )}
    </>
  )
}

/** Leads to the fields for any two times, among the other filters. */
function askBetween() {
  const from = document.querySelector<HTMLElement>('.more [name=from]')
  from?.closest('details')?.setAttribute('open', '')
  from?.focus()
}

interface DetailsProps {
  id: string
  /** The list in which it is, and the filters of that. */
  items: readonly ActivityRecord[]
  filters: Values
  onClose(): void
}

/** A record in words. What it shares with others leads to them. */
function Details({ id, items, filters, onClose }: DetailsProps) {
  const place = items.findIndex((item) => item.id === id)
  const step = (text: string, next: number) =>
    place >= 0 &&
    items[next] && (
      <Link replace href={addressOf('/activity', { ...filters, record: items[next].id })}>
        {text}
      </Link>
    )
  return (
    <Dialog title="Activity record" onClose={onClose}>
      <Loaded from={useGet('/api/admin/activity/{id}', { path: { id } })}>
        {(record) => (
          <>
            <p>{sentenceOf(record)}.</p>
            <Facts of={factsOf(record)} />
            <details>
              <summary>Details</summary>
              <pre>{JSON.stringify(record, null, 2)}</pre>
            </details>
          </>
        )}
      </Loaded>
      <CommandLine words={['activity show', id]} />
      <div class="actions">
        <Action label="Close" kind="outline" onPress={onClose} />
        {step('Previous', place - 1)}
        {step('Next', place + 1)}
      </div>
    </Dialog>
  )
}

function factsOf(record: ActivityRecord) {
  const { at, action, actorId, targetType, targetId, ip, userAgent, sessionId, requestId } = record
  const linked = (name: string, value: string | null, text = value) =>
    value && <Link href={addressOf('/activity', { [name]: value })}>{text}</Link>
  return {
    When: <Exact at={at} />,
    Action: linked('action', action, wordsOf(action)),
    'Done by': linked('actorId', actorId, actorOf(record).text) ?? actorOf(record).text,
    'Done to':
      targetId !== actorId &&
      targetType !== 'session' &&
      linked('targetId', targetId, targetOf(record).text),
    Browser: userAgent && (browserOf(userAgent) ?? 'Unknown browser'),
    Address: linked('ip', ip),
    Session: sessionId && <code>{linked('sessionId', sessionId)}</code>,
    Request: requestId && <code>{linked('requestId', requestId)}</code>
  }
}

/** The filters that people use most. */
const fields = ({ actorId, action }: Values<'actorId' | 'action'>, seen: string[]) => (
  <>
    <UserFilter label="Done by" name="actorId" value={actorId} />
    <Choice
      label="Action"
      name="action"
      options={[['', 'Every action'], ...actionOptions([...seen, ...(action ? [action] : [])])]}
    />
    <Choice
      label="Outcome"
      name="outcome"
      options={optionsOf('Every outcome', 'success', 'failure')}
    />
  </>
)

const moreFields = ({ targetId }: Values<'targetId'>) => ({
  names: ['targetId', 'ip', 'sessionId', 'requestId', 'from', 'to'],
  fields: (
    <>
      <UserFilter label="Done to" name="targetId" value={targetId} takesKeys />
      <Field label="Address or network" name="ip" maxLength={49} placeholder="203.0.113.0/24" />
      <Field label="Session id" name="sessionId" maxLength={36} />
      <Field label="Request id" name="requestId" maxLength={45} />
      <Field label="From" name="from" type="datetime-local" step="any" />
      <Field label="Before" name="to" type="datetime-local" step="any" />
    </>
  )
})
