import { useGet } from '../../shared/load.tsx'
import { startOf } from '../counts.ts'

export const periods = {
  '48-hours': { title: '48 hours', bucket: 'hour', count: 48 },
  '30-days': { title: '30 days', bucket: 'day', count: 30 }
} as const

export type Period = (typeof periods)[keyof typeof periods]

/** Loads the events of a period and of the one before. */
export function useSummary({ bucket, count }: Period) {
  const start = (ago: number) => startOf(bucket, Date.now(), ago)
  const [earlier, first, end] = [start(2 * count - 1), start(count - 1), start(-1)]
  const query = { bucket, from: new Date(earlier).toISOString() }
  const summary = useGet('/api/admin/activity/summary', { query })
  return { summary, earlier, first, end, from: new Date(first).toISOString() }
}
