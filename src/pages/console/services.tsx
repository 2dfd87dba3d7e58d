import { Link, useLocation } from 'wouter-preact'
import { capital } from '../shared/capital.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { ActionButton, ConfirmButton, DeleteZone } from './action-buttons.tsx'
import { ApiKeys, CreateKey } from './keys/keys.tsx'
import { keyField, NameFields } from './name-fields.tsx'
import { may } from './may.ts'
import { nameOfRole } from './roles/names.ts'
import { useRemembered } from './search/found.ts'
import { change, report } from './shell/status.tsx'
import { OwnedRoles, useRoles } from './user/roles.tsx'
import { shortName } from './user/short-name.ts'
import { Empty, Gone, Keys, RequiresPermission, titleOf } from './parts.tsx'
import { begun } from './list/table.tsx'
import type { Column } from './list/table.tsx'
import { useList } from './list/use-list.ts'
import { ListView } from './list/view.tsx'

/** A service with its roles and keys. */
export function Service({ service: key = '' }: Record<string, string | undefined>) {
  const params = { path: { key } }
  const loaded = useGet('/api/admin/services/{key}', params)
  const { value: service } = loaded
  useRemembered(
    service && { kind: 'service', path: `/services/${key}`, title: service.name, detail: key }
  )
  return (
    <Page
      title={titleOf('Service', loaded, service?.name)}
      about={
        service && (
          <>
            <span class="summary">
              <code>{key}</code>
              <StatusChip status={service.status} />
            </span>
            {service.description}
          </>
        )
      }
      action={
        service &&
        may('services:update') && (
          <>
            <Edit service={service} />
            <ChangeStatus service={service} />
          </>
        )
      }
    >
      <Loaded from={loaded} missing={<Gone title={`There is no service ${key}`} rest="services" />}>
        {(service) => (
          <>
            <RequiresPermission permission="roles:read" title="Roles">
              <ServiceRoles service={service} />
            </RequiresPermission>
            <ServiceKeys service={service} />
            {may('services:delete') && (
              <DeleteZone
                noun="service"
                name={shortName(service)}
                loss="The next request with one of its keys is refused. This cannot be undone."
                words={['service delete', key]}
                call={() => portal.DELETE('/api/admin/services/{key}', { params })}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface ServiceProps {
  service: Schemas['Service']
}

const Edit = ({ service }: ServiceProps) => (
  <ConfirmButton
    label="Edit"
    action="Save"
    words={['service update', service.key, '--name NAME']}
    onSubmit={async ({ name = '', description = '' }) => {
      const body = { name, description }
      const params = { path: { key: service.key } }
      await change(
        portal.PATCH('/api/admin/services/{key}', { params, body }),
        `The service ${shortName({ name })} is saved.`
      )
    }}
  >
    <NameFields of={service} />
  </ConfirmButton>
)

/** The roles of a service, and what it may do with them. */
const ServiceRoles = ({ service }: ServiceProps) => (
  <section>
    <OwnedRoles
      owner={service}
      mayChange={may('services:update')}
      words={(action, role) => [`service ${action}`, service.key, role]}
      callsFor={(role) => {
        const params = { path: { key: service.key, role } }
        return {
          grant: () => portal.PUT('/api/admin/services/{key}/roles/{role}', { params }),
          revoke: () => portal.DELETE('/api/admin/services/{key}/roles/{role}', { params })
        }
      }}
      noteOf={(role) =>
        role.requiresSecondFactor && (
          <span class="chip warn">Does not count: needs a second factor</span>
        )
      }
    />
    {service.permissions.length > 0 && (
      <p class="muted">
        This gives <code>{service.permissions.join(', ')}</code>.
      </p>
    )}
  </section>
)

/** Permission to create keys does not include reading them. */
function ServiceKeys({ service }: ServiceProps) {
  const mayCreate = may('services:update')
  const create = mayCreate && <CreateKey service={service} />
  return (
    <>
      {!may('keys:read') && create && <div class="actions">{create}</div>}
      <RequiresPermission permission="keys:read" title="API keys">
        <ApiKeys owner={service} action={create} rotates={mayCreate ? service.key : undefined}>
          {shortName(service)} has none.
        </ApiKeys>
      </RequiresPermission>
    </>
  )
}

const StatusChip = ({ status }: Pick<Schemas['Service'], 'status'>) => (
  <span class={status === 'active' ? 'chip good' : 'chip bad'}>{capital(status)}</span>
)

/** Deactivates a service, or activates it again. */
function ChangeStatus({ service }: ServiceProps) {
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
    const words = ['service reactivate', key]
    return <ActionButton label="Activate" words={words} onPress={() => set('active')} />
  }
  return (
    <ActionButton
      label="Deactivate"
      action={`Deactivate ${name}`}
      words={['service deactivate', key]}
      question={
        `All keys of ${name} are refused from the next request on, ` +
        'until it is activated again.'
      }
      onPress={() => set('deactivated')}
    />
  )
}

const columns: Column<Schemas['Service'], 'key' | 'createdAt'>[] = [
  {
    title: 'Service',
    cell: ({ key, name }) => <Link href={`/services/${key}`}>{name}</Link>,
    below: ({ key }) => <code>{key}</code>,
    sort: 'key'
  },
  { title: 'Status', cell: ({ status }) => <StatusChip status={status} />, rank: 'state' },
  { title: 'Description', cell: ({ description }) => description },
  {
    title: 'Roles',
    cell: ({ roles }) => roles.length > 0 && <Keys of={roles} nameOf={nameOfRole} />
  },
  begun('Created', 'less')
]

export function Services() {
  useRoles() // for their names
  const create = may('services:create') && <CreateService />
  return (
    <ListView
      {...useList('/api/admin/services', ['sort'])}
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
      command="service list"
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
      <Field {...keyField} />
      <NameFields />
    </ConfirmButton>
  )
}
