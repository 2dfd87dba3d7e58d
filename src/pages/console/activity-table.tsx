import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'
import { Table } from '../shared/table.tsx'
import type { Column } from '../shared/table.tsx'
import { Time } from '../shared/time.tsx'
import { addressOf } from './filters.tsx'

type Activity = Schemas['ActivityRecord']

interface ActivityTableProps {
  label: string
  items: readonly Activity[]
  empty: string
  /** Where the details of a record are shown: `/activity` with these filters. */
  filters?: Partial<Record<string, string>>
}

/** Records of the audit trail. Each part leads to the records that share it. */
export function ActivityTable({ filters = {}, ...table }: ActivityTableProps) {
  const only = (name: string, value: string, text = value) => (
    <Link href={addressOf('/activity', { [name]: value })}>{text}</Link>
  )
  const columns: Column<Activity>[] = [
    {
      title: 'Time',
      cell: ({ id, at }) => (
        <Link href={addressOf('/activity', { ...filters, record: id })}>
          <Time at={at} />
        </Link>
      )
    },
    { title: 'Action', cell: ({ action }) => only('action', action) },
    {
      title: 'Outcome',
      cell: ({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`)
    },
    {
      title: 'Actor',
      cell: ({ actorId, actorLabel, actorType }) =>
        actorId === null ? actorType : only('actorId', actorId, actorLabel ?? actorId)
    },
    {
      title: 'Target',
      cell: ({ targetId, targetType, actorLabel, details }) =>
        targetId !== null && (
          <>
            {targetType}{' '}
            {targetType === 'session'
              ? only('sessionId', targetId, `of ${actorLabel ?? targetId}`)
              : only('targetId', targetId, details.email ?? targetId)}
          </>
        )
    },
    { title: 'Address', cell: ({ ip }) => ip !== null && only('ip', ip) },
    { title: 'Details', cell: ({ details }) => textOf(details) }
  ]
  return <Table {...table} columns={columns} keyOf={({ id }) => id} />
}

/** As the command line prints them: `fields=name,theme role=admin`. */
export const textOf = (details: Activity['details']) =>
  Object.entries(details)
    .map(([name, value]) => {
      const isObject = typeof value === 'object' && !Array.isArray(value)
      return `${name}=${isObject ? JSON.stringify(value) : String(value)}`
    })
    .join(' ')
