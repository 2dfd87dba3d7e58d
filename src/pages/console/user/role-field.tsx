import { Field } from '../../shared/controls.tsx'
import type { Role } from './load-roles.ts'

/** The key of a role, with those that can be granted to choose from. */
export const RoleField = ({ roles }: { roles: readonly Role[] }) => (
  <>
    <Field
      label="Role"
      name="role"
      list="roles"
      pattern="[a-z0-9]+(-[a-z0-9]+)*"
      title="Key of a role: lowercase letters, digits and hyphens"
      required
      maxLength={64}
      autofocus
    />
    <datalist id="roles">
      {roles.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </datalist>
  </>
)
