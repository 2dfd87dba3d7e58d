import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Ago } from '../../shared/time.tsx'
import { CreateLink } from '../flags/parts.tsx'
import { describeMembers } from '../flags/sentences.ts'
import { counted } from '../grouped.ts'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Empty } from '../parts.tsx'

const columns: Column<Schemas['Segment'], 'key' | 'createdAt'>[] = [
  {
    title: 'Segment',
    cell: ({ key }) => <Link href={`/segments/${key}`}>{key}</Link>,
    below: ({ description }) => description,
    sort: 'key'
  },
  { title: 'Who', cell: ({ when }) => describeMembers(when) },
  { title: 'Used by', cell: ({ usedBy }) => counted(usedBy.length, 'flag') },
  { title: 'Last change', cell: ({ updatedAt }) => <Ago at={updatedAt} /> }
]

export function Segments() {
  const list = useList('/api/admin/segments', ['sort'])
  const create = <CreateLink kind="segment" />
  return (
    <ListView
      {...list}
      title="Segments"
      about={
        <span class="summary">
          Groups of users that several flags can name.{' '}
          <Link href="/deleted-flags">Deleted segments</Link>
        </span>
      }
      action={create}
      columns={columns}
      orders={['key', '-createdAt']}
      empty={
        <Empty
          title="There are no segments"
          command="portal segment create beta-testers --role beta"
          action={create}
        >
          A segment says once who belongs to a group, such as testers, for all flags that name it.
        </Empty>
      }
      command={['segment list', ['--sort', list.filters.sort]]}
    />
  )
}
