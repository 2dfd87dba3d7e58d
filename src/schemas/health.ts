import { Type } from '@sinclair/typebox'
import { oneOf } from './primitives.ts'

export const unavailableReasons = ['starting', 'draining', 'database', 'migrations'] as const
export type UnavailableReason = (typeof unavailableReasons)[number]

export const Health = Type.Object(
  {
    status: Type.Unsafe<'ok'>({ type: 'string', enum: ['ok'] })
  },
  { $id: 'Health', additionalProperties: false, description: 'Good' }
)

export const Unavailable = Type.Object(
  {
    status: Type.Unsafe<'unavailable'>({ type: 'string', enum: ['unavailable'] }),
    reason: oneOf(unavailableReasons, {
      description:
        'starting, draining before it ends, no answer from the database, or a schema older than the portal'
    })
  },
  { $id: 'Unavailable', additionalProperties: false, description: 'Not ready to take traffic' }
)
