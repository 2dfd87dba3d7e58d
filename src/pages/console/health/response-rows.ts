import type { Sample } from '../samples.ts'

const name = 'portal_http_request_duration_seconds'

export interface ResponseRow {
  /** Method and path pattern. */
  route: string
  status: string
  /** Since the start. */
  count: number
  /** In milliseconds. */
  mean: number
}

/** Whether the portal failed. */
export const isServerError = ({ status }: Pick<ResponseRow, 'status'>) => status.startsWith('5')

/** The responses of each route and status: server errors first, then the most frequent. */
export function responseRows(metrics: Sample['metrics']): ResponseRow[] {
  const values = metrics.find((metric) => metric.name === name)?.values ?? []
  const of = (kind: string) => values.filter((value) => value.name === `${name}_${kind}`)
  const sums = of('sum') // in the order of the counts
  return of('count')
    .map(({ labels: { method, route, status = '' }, value }, place) => {
      const count = value ?? 0
      const mean = ((sums[place]?.value ?? 0) / (count || 1)) * 1000
      return { route: `${method} ${route}`, status, count, mean }
    })
    .sort((a, b) => Number(isServerError(b)) - Number(isServerError(a)) || b.count - a.count)
}

/** Which rows are shown first: all server errors, and ten others. */
export const mostOf = (rows: ResponseRow[]) => rows.slice(0, rows.filter(isServerError).length + 10)
