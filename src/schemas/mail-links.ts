import { Type } from '@sinclair/typebox'
import { tokenPurposes } from '../../db/schema/tokens.ts'
import { emailLength } from '../../db/schema/users.ts'
import { LinkToken } from './emails.ts'
import { closed, nullable, oneOf, text, Timestamp } from './primitives.ts'
import { ScopeKey } from './scopes.ts'

const address = (description: string) =>
  text(emailLength.max, { description, examples: ['ada@example.com'] })

export const MailLinkToken = closed(
  {
    purpose: oneOf([...tokenPurposes, 'invitation'] as const, {
      description: 'What the mail was sent for. A token has one purpose'
    }),
    token: LinkToken.properties.token
  },
  { $id: 'MailLinkToken', description: 'The token of a link, and the purpose of its mail' }
)

export const MailLink = closed(
  {
    email: address('Address that the link was sent to, or that of its account'),
    account: nullable(
      address('Masked address of the account, if the link confirms another one for it')
    ),
    own: Type.Boolean({ description: 'Whether the link is for the user who is signed in' }),
    expiresAt: Timestamp('Until when the link works'),
    ends: Type.Array(
      closed({
        kind: oneOf(['key', 'totp', 'passkey', 'provider'] as const, {
          description: 'An API key, an authenticator app, a passkey, or an account at a provider'
        }),
        name: nullable(text(200, { description: 'Name of the key, passkey or provider' }))
      }),
      { maxItems: 1000, description: 'API keys that the link ends, or ways to sign in' }
    ),
    invitation: Type.Optional(
      closed(
        {
          scope: ScopeKey,
          role: text(200, { description: 'Name of the role', examples: ['Manager'] }),
          inviter: address('Address of the user who sent the invitation')
        },
        { description: 'Only for an invitation' }
      )
    )
  },
  { $id: 'MailLink', description: 'What the link of a mail is about' }
)
