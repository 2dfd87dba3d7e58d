import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { ConfirmButton, DangerZone } from '../action-buttons.tsx'
import { ApiKeys, CreateKey, NewKey } from '../keys/keys.tsx'
import { Fields, nameFields } from '../name-fields.tsx'
import { may } from '../may.ts'
import { useRemembered } from '../search/found.ts'
import { change, report } from '../shell/status.tsx'
import { CommandLine } from '../command-line.tsx'
import { OwnedRoles } from '../user/roles.tsx'
import { shortName } from '../user/short-name.ts'
import { ChangeStatus, StatusChip } from './services.tsx'
import { Empty, RequiresPermission } from '../parts.tsx'

/** A service with its roles and keys. */
export function Service({ service: key = '' }: Record<string, string | undefined>) {
  const loaded = useGet('/api/admin/services/{key}', { path: { key } })
  const { value: service } = loaded
  useRemembered(
    service && { kind: 'service', path: `/services/${key}`, title: service.name, detail: key }
  )
  return (
    <Page
      title={service?.name ?? 'Service'}
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
      <Loaded
        from={loaded}
        missing={
          <Empty
            title={`There is no service ${key}`}
            action={<Link href="/services">All services</Link>}
          >
            It may have been deleted.
          </Empty>
        }
      >
        {(service) => (
          <>
            <RequiresPermission permission="roles:read" title="Roles">
              <ServiceRoles service={service} />
            </RequiresPermission>
            <Keys service={service} />
            {may('services:delete') && <DeleteService service={service} />}
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
    <Fields of={nameFields(service)} />
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
    <CommandLine words={['service grant', service.key, 'ROLE']} />
  </section>
)

/** Permission to create keys does not include reading them. */
function Keys({ service }: ServiceProps) {
  const { key } = service
  const [created, setCreated] = useState<Schemas['CreatedApiKey']>()
  const create = may('services:update') && <CreateKey service={key} onCreated={setCreated} />
  return (
    <>
      {created && <NewKey created={created} onStored={() => setCreated(undefined)} />}
      {!may('keys:read') && create && <div class="actions">{create}</div>}
      <RequiresPermission permission="keys:read" title="API keys">
        <ApiKeys owner={service} action={create}>
          {shortName(service)} has none. Two keys can overlap: create the next one before the old
          one expires.
        </ApiKeys>
      </RequiresPermission>
    </>
  )
}

function DeleteService({ service }: ServiceProps) {
  const [, navigate] = useLocation()
  const { key } = service
  const name = shortName(service)
  return (
    <DangerZone
      title="Delete this service"
      loss="All of its keys are deleted with it. This cannot be undone."
    >
      <ConfirmButton
        label="Delete"
        action={`Delete ${name}`}
        isDangerous
        words={['service delete', key]}
        onSubmit={async () => {
          await ok(portal.DELETE('/api/admin/services/{key}', { params: { path: { key } } }))
          report(`The service ${name} was deleted.`)
          navigate('/services')
        }}
      >
        <p>The next request with a key of {name} is refused. This cannot be undone.</p>
      </ConfirmButton>
    </DangerZone>
  )
}
