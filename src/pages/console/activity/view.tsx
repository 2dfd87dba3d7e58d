import { Loaded, useGet } from '../../shared/load.tsx'
import { countsOf } from '../counts.ts'
import { useParameters } from '../list/address.ts'
import { Empty } from '../list/empty.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Plot } from '../plot.tsx'
import { Details } from './details.tsx'
import { fields, moreFields } from './filters.tsx'
import { toAddress, toInputs } from './inputs.ts'
import { periodOf, usual } from './period.ts'
import { joined } from './joined.ts'
import { Records } from './records.tsx'

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
                return <Plot kind="bars" title={title} {...axis} series={series} />
              }}
            </Loaded>
          </div>
        }
        show={(items) => (
          <Records label="Activity" items={joined(items)} empty="" heading="h2" filters={filters} />
        )}
        orders={[
          ['-at', 'Newest first'],
          ['at', 'Oldest first']
        ]}
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
      />
      {record !== undefined && <Details id={record} onClose={() => onFilter(filters)} />}
    </>
  )
}
