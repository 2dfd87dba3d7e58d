import { Field } from '../shared/controls.tsx'

/** The key of a new role or service. */
export const KeyField = () => (
  <Field
    label="Key"
    name="key"
    autocomplete="off"
    pattern="[a-z0-9]+(-[a-z0-9]+)*"
    title="Lowercase letters, digits and hyphens"
    hint="Lowercase letters, digits and hyphens. It cannot change later."
    required
    maxLength={64}
  />
)

interface NameFieldsProps {
  of: { name: string; description: string | null } | undefined
}

/** Name and description of a role or a service. */
export const NameFields = ({ of }: NameFieldsProps) => (
  <>
    <Field
      label="Name"
      name="name"
      autocomplete="off"
      required
      maxLength={80}
      defaultValue={of?.name ?? ''}
    />
    <Field
      label="Description"
      name="description"
      autocomplete="off"
      maxLength={300}
      defaultValue={of?.description ?? ''}
    />
  </>
)
