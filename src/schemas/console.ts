import { closed, oneOf, text } from './primitives.ts'
import { Type } from '@sinclair/typebox'

const secret = (description: string) =>
  Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$', description })

export const ConsoleLink = closed(
  { link: secret('The secret at the end of the link') },
  { $id: 'ConsoleLink', description: 'The link that the terminal printed' }
)

export const ConsoleToken = closed(
  { token: secret('Send it as `Authorization: Bearer`') },
  { $id: 'ConsoleToken', description: 'The token of a page of the console' }
)

export const ConsoleFacts = closed(
  {
    environment: oneOf(['development', 'production'] as const, {
      description: 'Mode of the portal'
    }),
    canWrite: Type.Boolean({ description: 'Whether changes are allowed' }),
    keepsSettings: Type.Boolean({ description: 'Whether the portal has a `SETTINGS_SCHEMA`' }),
    operator: text(254, {
      description: 'User of the operating system, as activity records name them',
      examples: ['ada']
    }),
    database: text(1000, {
      description: 'Engine and location of the database',
      examples: ['PostgreSQL at db.example.com/portal']
    })
  },
  { $id: 'ConsoleFacts', description: 'Where a console is, and what it may do' }
)
