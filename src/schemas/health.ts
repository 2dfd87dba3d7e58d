import { Type } from '@sinclair/typebox'
import { oneOf } from './primitives.ts'

export const unavailableReasons = [
  'starting',
  'draining',
  'database',
  'migrations',
  'epochs'
] as const

export const Health = Type.Object(
  { status: Type.Unsafe<'ok'>({ type: 'string', enum: ['ok'] }) },
  { $id: 'Health', additionalProperties: false, description: 'Healthy' }
)

export const Unavailable = Type.Object(
  {
    status: Type.Unsafe<'unavailable'>({ type: 'string', enum: ['unavailable'] }),
    reason: oneOf(unavailableReasons, {
      description:
        '`starting`: not ready yet; `draining`: shutting down; `database`: the database is ' +
        'unavailable; `migrations`: the database schema is older than the portal; `epochs`: ' +
        'rows of the epochs are missing, which `portal refresh` adds'
    })
  },
  { $id: 'Unavailable', additionalProperties: false, description: 'Not ready to take traffic' }
)
