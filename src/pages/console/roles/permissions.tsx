import { useState } from 'preact/hooks'
import { portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Description, keyField } from '../name-fields.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { ActionButton, ConfirmButton } from '../action-buttons.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { may } from '../may.ts'
import { Matrix } from './matrix.tsx'
import { change } from '../shell/status.tsx'

/** All permissions, and which roles have them. */
export function Permissions() {
  const list = useList('/api/admin/permissions', [])
  const [sought, seek] = useState('')
  const words = sought.toLowerCase().trim()
  const isSought = ({ key, description }: Schemas['Permission']) =>
    `${key} ${description}`.toLowerCase().includes(words)
  return (
    <ListView
      {...list}
      title="Permissions"
      about="A permission allows one thing. Roles grant permissions, and your app can have its own."
      action={may('permissions:create') && <Create />}
      empty={null} // there are always those of the portal
      command={may('roles:read') ? 'role grant ROLE PERMISSION' : 'permission list'}
    >
      {(items) => (
        <>
          <div class="filters" role="search" aria-label="On this page">
            <Field
              label="Find on this page"
              name="find"
              type="search"
              value={sought}
              onValue={seek}
            />
          </div>
          {!items.some(isSought) ? (
            <p role="status">No permission on this page has these words.</p>
          ) : may('roles:read') ? (
            <Grants permissions={items.filter(isSought)} />
          ) : (
            <Matrix permissions={items.filter(isSought)} roles={[]} actionsFor={actionsFor} />
          )}
        </>
      )}
    </ListView>
  )
}

const Grants = ({ permissions }: { permissions: Schemas['Permission'][] }) => (
  <Loaded from={useGet('/api/admin/roles', { query: { limit: 50 } })}>
    {({ items, nextCursor }) => (
      <>
        <Matrix {...{ permissions, roles: items, actionsFor }} />
        {nextCursor !== null && (
          <p>These are the first 50 roles. The page of a role shows its permissions.</p>
        )}
      </>
    )}
  </Loaded>
)

const Create = () => (
  <ConfirmButton
    label="Create a permission"
    action="Create"
    isPrimary
    words={['permission create KEY --description TEXT']}
    onSubmit={({ key = '', description = '' }) =>
      change(
        portal.POST('/api/admin/permissions', { body: { key, description } }),
        `The permission ${key} is there.`
      )
    }
  >
    <Field
      {...keyField}
      maxLength={80}
      pattern="[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*"
      title="A noun and a verb, such as invoices:read"
      hint="A noun and a verb, such as invoices:read. It cannot change later."
    />
    <Description />
  </ConfirmButton>
)

/** Edits and deletes a permission of an app. Others are part of the portal. */
function actionsFor({ key, description, system }: Schemas['Permission']) {
  const params = { path: { key } }
  if (system) return null
  return (
    <>
      {may('permissions:update') && (
        <ConfirmButton
          label="Edit"
          about={key}
          action="Save"
          words={[['permission update', key], '--description TEXT']}
          call={(body) => portal.PATCH('/api/admin/permissions/{key}', { params, body })}
          done={`The description of ${key} is saved.`}
        >
          <Description value={description} />
        </ConfirmButton>
      )}
      {may('permissions:delete') && (
        <ActionButton
          label="Delete"
          about={key}
          words={[['permission delete', key]]}
          call={() => portal.DELETE('/api/admin/permissions/{key}', { params })}
          done={`The permission ${key} is deleted.`}
          question={
            <>
              Removes <code>{key}</code> from every role, and all users lose it at once.
            </>
          }
        />
      )}
    </>
  )
}
