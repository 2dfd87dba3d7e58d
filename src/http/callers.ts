import type { Access, SystemPermission } from '../domain/permissions.ts'
import type { Tag } from './document/operation-tags.ts'

/**
 * Who calls a route that the console and other systems share: a person with a session, or a program
 * with an API key.
 */
export interface Caller {
  prefix: '/api/admin' | '/api/machine'
  config: (permission: SystemPermission, tag: Tag) => { access: Access; tag: Tag; door?: true }
  /** The id of the operation, which is unique in a document. */
  name: (operationId: string) => string
  /** Whether a change can name an Idempotency-Key. */
  once?: true
}

export const person: Caller = {
  prefix: '/api/admin',
  config: (permission, tag) => ({ access: { permission }, tag }),
  name: (operationId) => operationId
}

export const machine: Caller = {
  prefix: '/api/machine',
  config: (permission) => ({ access: { key: permission }, tag: 'machine', door: true }),
  name: (operationId) => `${operationId}ForMachine`,
  once: true
}
