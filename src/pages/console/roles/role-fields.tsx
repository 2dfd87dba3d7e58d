import type { Schemas } from '../../shared/client.ts'
import { Check, Field } from '../../shared/controls.tsx'

/** What can be changed about a role. */
export const RoleFields = ({ role }: { role?: Schemas['Role'] }) => (
  <>
    <Field
      label="Name"
      name="name"
      autocomplete="off"
      required
      maxLength={80}
      defaultValue={role?.name ?? ''}
    />
    <Field
      label="Description"
      name="description"
      autocomplete="off"
      maxLength={300}
      defaultValue={role?.description ?? ''}
    />
    <Check
      label="Counts only in sessions with a second factor"
      name="secondFactor"
      defaultChecked={role?.requiresSecondFactor ?? false}
    />
  </>
)

/** The values of `RoleFields`. */
export const roleOf = ({ name = '', description = '', secondFactor }: Record<string, string>) => ({
  name,
  description,
  requiresSecondFactor: secondFactor !== undefined
})
