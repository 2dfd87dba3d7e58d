import { useId } from 'preact/hooks'
import { Filters, FilterSelect, NewestFirst } from './filters.tsx'

type Values = Partial<Record<string, string>>

interface ActivityFiltersProps {
  filters: Values
  /** To choose from. */
  actions: readonly string[]
  onChange(filters: Values): void
}

/** All filters of the audit trail. Times are those of the reader, and in UTC in the address. */
export function ActivityFilters({ filters, actions, onChange }: ActivityFiltersProps) {
  const id = useId()
  const change = ({ from, to, requestId, ...others }: Values) =>
    onChange({
      ...others,
      requestId: requestId?.trim().replace(/^urn:uuid:/i, ''), // as in `instance` of a problem
      from: inUtc(from, filters.from),
      to: inUtc(to, filters.to)
    })
  return (
    <Filters
      values={{ ...filters, from: inLocalTime(filters.from), to: inLocalTime(filters.to) }}
      onChange={change}
    >
      <label>
        Action
        <input name="action" maxLength={40} list={id} />
      </label>
      <datalist id={id}>
        {[...new Set(actions)].map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <FilterSelect
        label="Outcome"
        name="outcome"
        options={[
          ['', 'Every outcome'],
          ['success', 'Success'],
          ['failure', 'Failure']
        ]}
      />
      <label>
        Actor id
        <input name="actorId" maxLength={36} />
      </label>
      <label>
        Target id or key
        <input name="targetId" maxLength={80} />
      </label>
      <label>
        Address or network
        <input name="ip" maxLength={49} placeholder="203.0.113.0/24" />
      </label>
      <label>
        Session id
        <input name="sessionId" maxLength={36} />
      </label>
      <label>
        Request id
        <input name="requestId" maxLength={45} />
      </label>
      <label>
        From
        <input type="datetime-local" name="from" step="any" />
      </label>
      <label>
        Before
        <input type="datetime-local" name="to" step="any" />
      </label>
      <NewestFirst orElse="at" />
    </Filters>
  )
}

const minutes = 60_000

/** As an input takes it, to the second. */
function inLocalTime(text: string | undefined) {
  const time = new Date(text ?? '')
  const offset = time.getTimezoneOffset() * minutes
  return Number.isNaN(offset) ? '' : new Date(time.getTime() - offset).toISOString().slice(0, 19)
}

/** As the portal takes it. An input that was not changed keeps the time in the address. */
function inUtc(text: string | undefined, before: string | undefined) {
  if (!text || text === inLocalTime(before)) return text && before
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
