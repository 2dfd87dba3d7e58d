import { ok, portal } from '../../shared/client.ts'
import { Choice, Field } from '../../shared/controls.tsx'
import { useLoaded } from '../../shared/load.tsx'
import { may } from '../may.ts'

/** A filter for those who have a role. Without the permission to list roles, one types its key. */
export function RoleFilter({ value }: { value: string | undefined }) {
  const roles = useLoaded('roles to choose', async (signal) => {
    if (!may('roles:read')) return undefined
    const params = { query: { limit: 200 } }
    return (await ok(portal.GET('/api/admin/roles', { params, signal }))).items
  })
  if (roles.value === undefined) {
    return <Field label="Role" name="role" maxLength={80} defaultValue={value ?? ''} />
  }
  const options = roles.value.map(({ key, name }) => [key, name] as const)
  const isListed = value === undefined || options.some(([key]) => key === value)
  return (
    <Choice
      label="Role"
      name="role"
      defaultValue={value ?? ''}
      options={[['', 'Every role'], ...options, ...(isListed ? [] : [[value, value] as const])]}
    />
  )
}
