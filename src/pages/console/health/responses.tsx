import './responses.css'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { grouped } from '../grouped.ts'
import { Table } from '../list/table.tsx'
import { mostOf } from './response-rows.ts'
import type { ResponseRow } from './response-rows.ts'

/** Of routes: how many responses there were since the start, and how long they took. */
export function Responses({ rows }: { rows: ResponseRow[] }) {
  const [isWhole, setWhole] = useState(false)
  const most = mostOf(rows)
  return (
    <div class="responses">
      <Table
        label="Responses"
        items={isWhole ? rows : most}
        keyOf={({ route, status }) => `${route} ${status}`}
        empty="There were no responses yet."
        columns={[
          { title: 'Route', cell: Route },
          { title: 'Status', cell: Status },
          { title: 'Responses', cell: ({ count }) => grouped(count) },
          { title: 'Mean', cell: ({ mean }) => `${mean.toFixed(1)} ms` }
        ]}
      />
      {most.length < rows.length && (
        <p class="actions">
          <button type="button" class="outline" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Fewer routes' : 'All routes'}
          </button>
        </p>
      )}
    </div>
  )
}

/** It breaks after slashes. */
const Route = ({ route }: ResponseRow) => (
  <code>
    {route.split(/(?<=\/)/).map((part, place) => (
      <Fragment key={place}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </code>
)

const Status = ({ status }: ResponseRow) => (
  <span class={status < '4' ? '' : `chip ${status < '5' ? 'warn' : 'bad'}`}>{status}</span>
)
