import { Type } from '@sinclair/typebox'
import { descriptionLength } from '../../db/schema/roles.ts'
import { serviceKeyForm, serviceKeyLength, serviceStatuses } from '../../db/schema/services.ts'
import { nameLength } from '../../db/schema/users.ts'
import { pageOf } from './lists.ts'
import { closed, Id, newDescription, oneOf, text, Timestamp } from './primitives.ts'
import { field, keys } from './users.ts'

export const ServiceKey = Type.String({
  minLength: serviceKeyLength.min,
  maxLength: serviceKeyLength.max,
  pattern: serviceKeyForm.source,
  description: 'Unique key of the service: lowercase letters, digits and hyphens',
  examples: ['reporting']
})
const examples = ['Writes the nightly report']
const changedDescription = Type.Optional(newDescription({ examples }))
const status = oneOf(serviceStatuses, { description: 'Whether the keys of the service work' })

export const Service = closed(
  {
    id: Id('Service id; never changes'),
    key: ServiceKey,
    name: text(nameLength.max, { minLength: 1, examples: ['Reporting'] }),
    description: text(descriptionLength.max, { examples }),
    status,
    roles: keys('Keys of its roles', ['user']),
    permissions: keys(
      'Keys of all permissions of its roles, without roles that require a second factor: they ' +
        'never count for a service',
      ['profile:read']
    ),
    createdAt: Timestamp('Time of creation'),
    updatedAt: Timestamp('Time of the last change')
  },
  { $id: 'Service', description: 'A service: an account of a machine' }
)
export const ServicePage = pageOf('ServicePage', Service, 'A page of services')

export const NewService = closed(
  {
    key: ServiceKey,
    name: { ...field.name, examples: ['Reporting'] },
    description: changedDescription
  },
  {
    $id: 'NewService',
    description: 'A new service',
    examples: [{ key: 'reporting', name: 'Reporting', description: examples[0] }]
  }
)

export const ServicePatch = closed(
  {
    name: Type.Optional({ ...field.name, examples: ['Reporting'] }),
    description: changedDescription,
    status: Type.Optional(status)
  },
  {
    $id: 'ServicePatch',
    examples: [{ description: 'Writes the weekly report' }],
    minProperties: 1,
    description: 'Merge patch: omitted fields keep their value'
  }
)
