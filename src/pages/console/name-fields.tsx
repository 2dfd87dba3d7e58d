import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import type { FieldProps } from '../shared/controls.tsx'

export const keyField: FieldProps = {
  ...{ label: 'Key', name: 'key', required: true, maxLength: 64 },
  pattern: '[a-z0-9]+(-[a-z0-9]+)*',
  title: 'Lowercase letters, digits and hyphens',
  hint: 'Lowercase letters, digits and hyphens. It cannot change later.'
}

export const nameField: FieldProps = { label: 'Name', name: 'name', required: true, maxLength: 80 }

type Named = Pick<Schemas['Role'], 'name' | 'description'>

export const Description = ({ value }: { value?: string | null | undefined }) => (
  <Field label="Description" name="description" maxLength={300} defaultValue={value ?? ''} />
)

/** Name and description of a role or a service, by default of a new one. */
export const NameFields = ({ of }: { of?: Named | undefined }) => (
  <>
    <Field {...nameField} defaultValue={of?.name ?? ''} />
    <Description value={of?.description} />
  </>
)
