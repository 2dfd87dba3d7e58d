import type { Schemas } from '../../shared/client.ts'
import { Check } from '../../shared/controls.tsx'
import { NameFields } from '../name-fields.tsx'

/** What can be changed about a role. */
export const RoleFields = ({ role }: { role?: Schemas['Role'] }) => (
  <>
    <NameFields of={role} />
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
