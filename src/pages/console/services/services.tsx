import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton, ActionButton } from '../action-buttons.tsx'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Fields, keyField, nameFields } from '../name-fields.tsx'
import { may } from '../may.ts'
import { change, report } from '../shell/status.tsx'
import { shortName } from '../user/short-name.ts'
import { Empty, Keys } from '../parts.tsx'

type Service = Schemas['Service']

export const StatusChip = ({ status }: Pick<Service, 'status'>) =>
  status === 'active' ? (
    <span class="chip good">Active</span>
  ) : (
    <span class="chip bad">Deactivated</span>
  )

/** Deactivates a service, or activates it again. */
export function ChangeStatus({ service }: { service: Service }) {
  const { key, status } = service
  const name = shortName(service)
  const set = async (next: typeof status) => {
    const params = { path: { key } }
    await change(
      portal.PATCH('/api/admin/services/{key}', { params, body: { status: next } }),
      next === 'active' ? `The keys of ${name} work again.` : `The keys of ${name} are refused.`,
      () => set(next === 'active' ? 'deactivated' : 'active')
    )
  }
  if (status !== 'active') {
    return (
      <ActionButton
        label="Activate"
        words={['service reactivate', key]}
        onPress={() => set('active')}
      />
    )
  }
  return (
    <ConfirmButton
      label="Deactivate"
      action={`Deactivate ${name}`}
      words={['service deactivate', key]}
      isDangerous
      isQuiet
      onSubmit={() => set('deactivated')}
    >
      <p>All keys of {name} are refused from the next request on, until it is activated again.</p>
    </ConfirmButton>
  )
}

const columns: Column<Schemas['Service'], 'key' | 'createdAt'>[] = [
  {
    title: 'Service',
    cell: ({ key, name }) => <Link href={`/services/${key}`}>{name}</Link>,
    below: ({ key }) => <code>{key}</code>,
    sort: 'key'
  },
  { title: 'Status', cell: ({ status }) => <StatusChip status={status} /> },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Roles', cell: ({ roles }) => roles.length > 0 && <Keys of={roles} /> },
  {
    title: 'Created',
    cell: ({ createdAt }) => <Ago at={createdAt} />,
    rank: 'less',
    sort: 'createdAt',
    isNewestFirst: true
  }
]

export function Services() {
  const list = useList('/api/admin/services', ['sort'])
  const create = may('services:create') && <CreateService />
  return (
    <ListView
      {...list}
      title="Services"
      about="Accounts of scripts, jobs and other servers, each with API keys of its own."
      action={create}
      columns={columns}
      orders={['key', '-createdAt']}
      empty={
        <Empty
          title="There are no services"
          command="portal service create KEY --name NAME"
          action={create}
        >
          A service has roles and API keys of its own, so it keeps working when the person who set
          it up leaves.
        </Empty>
      }
      command={['service list', ['--sort', list.filters.sort]]}
    />
  )
}

function CreateService() {
  const [, navigate] = useLocation()
  return (
    <ConfirmButton
      label="Create a service"
      action="Create"
      isPrimary
      words={['service create KEY --name NAME']}
      onSubmit={async ({ key = '', name = '', description = '' }) => {
        await ok(portal.POST('/api/admin/services', { body: { key, name, description } }))
        report(`The service ${shortName({ name })} was created.`)
        navigate(`/services/${key}`)
      }}
    >
      <Fields of={[keyField, ...nameFields()]} />
    </ConfirmButton>
  )
}
