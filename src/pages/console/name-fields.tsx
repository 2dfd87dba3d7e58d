import { Field } from '../shared/controls.tsx'
import type { FieldProps } from '../shared/controls.tsx'

/** Inputs of a form that no password manager fills. */
export const Fields = ({ of: fields }: { of: readonly FieldProps[] }) => (
  <>
    {fields.map((field) => (
      <Field key={field.name} {...field} />
    ))}
  </>
)

export const keyField: FieldProps = {
  ...{ label: 'Key', name: 'key', required: true, maxLength: 64 },
  pattern: '[a-z0-9]+(-[a-z0-9]+)*',
  title: 'Lowercase letters, digits and hyphens',
  hint: 'Lowercase letters, digits and hyphens. It cannot change later.'
}

export const nameField: FieldProps = { label: 'Name', name: 'name', required: true, maxLength: 80 }

export const descriptionField = (value?: string | null): FieldProps => ({
  ...{ label: 'Description', name: 'description', maxLength: 300 },
  defaultValue: value ?? ''
})

/** Name and description of a role or a service. */
export const nameFields = (of?: { name: string; description: string | null }) => [
  { ...nameField, defaultValue: of?.name ?? '' },
  descriptionField(of?.description)
]
