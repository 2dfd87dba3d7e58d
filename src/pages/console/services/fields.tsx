import type { Schemas } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'

/** What can be changed about a service. */
export const ServiceFields = ({ service }: { service?: Schemas['Service'] }) => (
  <>
    <Field
      label="Name"
      name="name"
      autocomplete="off"
      required
      maxLength={80}
      defaultValue={service?.name ?? ''}
    />
    <Field
      label="Description"
      name="description"
      autocomplete="off"
      maxLength={300}
      defaultValue={service?.description ?? ''}
    />
  </>
)
