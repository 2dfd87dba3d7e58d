import { Type } from '@sinclair/typebox'
import { scopeForm } from '../../db/schema/scopes.ts'

export const ScopeKey = Type.String({
  maxLength: 81,
  pattern: scopeForm.source,
  description: 'What a role is held for, in the words of the app: a kind, a colon and a name',
  examples: ['org:1']
})
