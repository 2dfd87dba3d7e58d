import './records.css'
import { Link } from 'wouter-preact'
import { browserOf } from '../../../common/browsers.ts'
import { Clock, formatDay } from '../../shared/time.tsx'
import { counted } from '../grouped.ts'
import { addressOf } from '../list/address.ts'
import { Icon } from '../shell/icons.tsx'
import type { Repeated } from './merge-repeated.ts'
import { partsOf } from './sentences.ts'

interface RecordsProps {
  label: string
  items: readonly Repeated[]
  empty: string
  /** The heading of a day, one level below its section. */
  heading?: 'h2' | 'h3'
  /** Where a record is shown in full: `/activity` with these filters. */
  filters?: Partial<Record<string, string>>
}

/** Records of the audit trail as sentences, by day. */
export function Records({ label, items, empty, heading: Day = 'h3', filters = {} }: RecordsProps) {
  if (items.length === 0) return <p class="muted">{empty}</p>
  return (
    <div class="records" role="region" aria-label={label}>
      {byDay(items).map(([day, records]) => (
        <section key={records[0]?.id}>
          <Day>{day}</Day>
          <ul class="rows">
            {records.map((record) => (
              <li key={record.id}>
                <div>
                  {record.outcome === 'failure' && (
                    <>
                      <Icon name="cross" />
                      <span class="unseen">failure: </span>
                    </>
                  )}
                  {partsOf(record).map(({ text, href }, index) =>
                    href === undefined ? (
                      text
                    ) : (
                      <Link key={index} href={href}>
                        {text}
                      </Link>
                    )
                  )}
                  <Origin of={record} />
                </div>
                <Link href={addressOf('/activity', { ...filters, record: record.id })}>
                  <Clock at={record.at} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** From where and how often, in grey. */
function Origin({ of: { ip, userAgent, times } }: { of: Repeated }) {
  const parts = [browserOf(userAgent), ip, times && counted(times, 'time')].filter(Boolean)
  return (
    parts.length > 0 && (
      <>
        <br />
        <small class="muted">{parts.join(', ')}</small>
      </>
    )
  )
}

/** Consecutive records of the same day, with its name. */
function byDay(items: readonly Repeated[]) {
  const days: [day: string, records: Repeated[]][] = []
  for (const record of items) {
    const day = formatDay(record.at)
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(record)
    else days.push([day, [record]])
  }
  return days
}
