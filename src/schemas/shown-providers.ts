import { Type } from '@sinclair/typebox'
import {
  providerKeyForm,
  providerKeyLength,
  providerKinds
} from '../../db/schema/provider-accounts.ts'
import { closed, oneOf, text } from './primitives.ts'

export const ProviderKey = Type.String({
  minLength: providerKeyLength.min,
  maxLength: providerKeyLength.max,
  pattern: providerKeyForm.source,
  description: 'Key of a provider',
  examples: ['google']
})

export const ShownProvider = closed(
  {
    key: ProviderKey,
    kind: oneOf(providerKinds, { description: 'What kind of provider it is' }),
    name: text(40, { description: 'Name of the provider', examples: ['Google'] })
  },
  { $id: 'ShownProvider', description: 'A provider to sign in with' }
)
