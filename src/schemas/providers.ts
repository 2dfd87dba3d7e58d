import { Type } from '@sinclair/typebox'
import {
  intents,
  mostProviderAccounts,
  providerKeyForm,
  providerKeyLength,
  providerKinds,
  targetLength
} from '../../db/schema/provider-accounts.ts'
import { emailLength } from '../../db/schema/users.ts'
import { pageOf } from './lists.ts'
import { closed, Id, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { field, restore } from './users.ts'

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

const address = { maxLength: 2000, format: 'uri' } as const

/** @public a component of the API document */
export const ConfiguredProvider = closed(
  {
    ...ShownProvider.properties,
    issuer: Type.String({
      ...address,
      description: 'Issuer of its tokens',
      examples: ['https://accounts.google.com']
    }),
    domains: Type.Array(text(253), {
      description: 'Domains of e-mail addresses for which it speaks',
      examples: [['example.com']]
    }),
    required: Type.Boolean({
      description: 'Whether users with an address of these domains sign in with it only'
    }),
    listed: Type.Boolean({ description: 'Whether everybody sees it' }),
    redirectUri: Type.String({
      ...address,
      description: 'What to enter at the provider, exactly as it is',
      examples: ['https://portal.example.com/api/auth/providers/google/callback']
    })
  },
  { $id: 'ConfiguredProvider', description: 'A provider as operators see it, without its secret' }
)

export const ConfiguredProviders = closed(
  { items: Type.Array(ref(ConfiguredProvider), { description: 'The providers of `PROVIDERS`' }) },
  { $id: 'ConfiguredProviders', description: 'All providers' }
)

export const ProviderCheck = closed(
  {
    faults: Type.Array(
      closed({
        reason: text(40, { description: 'Code of the reason', examples: ['invalid-client'] }),
        message: text(500, {
          description: 'The reason in words',
          examples: ['The provider refuses the client id or the client secret']
        })
      }),
      { description: 'Whatever would keep users from signing in; empty if nothing would' }
    )
  },
  { $id: 'ProviderCheck', description: 'What a provider says to the portal' }
)

export const ProviderSearch = closed(
  { email: field.email },
  { $id: 'ProviderSearch', description: 'The e-mail address of somebody who wants to sign in' }
)

export const FoundProvider = closed(
  {
    provider: Type.Union([ref(ShownProvider), Type.Null()], {
      description: 'The provider of the domain of the address; null if it has none'
    }),
    required: Type.Boolean({
      description: 'Whether users with an address of this domain sign in with this provider only'
    })
  },
  { $id: 'FoundProvider', description: 'The provider for an e-mail address' }
)

const target = (description: string) =>
  Type.Optional(
    text(targetLength, {
      description: `${description}. It must be at the origin of the portal or of an app`,
      examples: ['/']
    })
  )

export const ProviderFlow = closed(
  {
    intent: oneOf(intents, {
      description:
        '`sign-in`: sign in or register; `link`: link an account to the signed-in user; ' +
        '`reauthenticate`: authenticate again; `confirm`: confirm the address of a registration'
    }),
    returnTo: target('Where the browser is led afterwards, by default to the app'),
    errorTo: target(
      'Where the browser is led with `problem` and `provider` in the query when something is ' +
        'left to do, by default to the page to sign in'
    ),
    email: Type.Optional(field.email),
    restore,
    token: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'The token of the link in the mail; only for `confirm`'
      })
    )
  },
  {
    $id: 'ProviderFlow',
    description: 'A way through a provider',
    examples: [{ intent: 'sign-in' }]
  }
)

export const ProviderStart = closed(
  {
    url: Type.String({
      maxLength: 4000,
      format: 'uri',
      description: 'URL at the provider, to which the app leads the browser',
      examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=portal']
    })
  },
  { $id: 'ProviderStart', description: 'Where the browser goes next' }
)

/** @public a component of the API document */
export const ProviderAccount = closed(
  {
    id: Id('Id of the linked account'),
    provider: ProviderKey,
    name: text(40, { description: 'Name of the provider', examples: ['Google'] }),
    email: nullable(
      text(emailLength.max, {
        description: 'E-mail address at the provider, as it last said',
        examples: ['ada@example.com']
      })
    ),
    createdAt: Timestamp('Time at which it was linked'),
    lastUsedAt: nullable(Timestamp('Time of the last sign-in with it'))
  },
  { $id: 'ProviderAccount', description: 'An account at a provider that is linked to a user' }
)
export const ProviderAccountPage = pageOf(
  'ProviderAccountPage',
  ProviderAccount,
  "The current user's linked accounts"
)

export const providerAccountList = Type.Array(ref(ProviderAccount), {
  maxItems: mostProviderAccounts,
  description: 'Linked accounts, oldest first'
})

const part = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, pattern: '^[ -~]*$', description }))

/** Parameters that a provider adds to the callback. Others that it adds are ignored. */
export const callbackParams = Type.Object(
  {
    code: part(6000, 'Code of the provider'),
    state: part(100, 'State of the attempt'),
    iss: part(255, 'Issuer that sends the code (RFC 9207)'),
    error: part(100, 'Why there is no code')
  },
  { additionalProperties: true }
)

export const LogoutNotice = Type.Object(
  { logout_token: Type.String({ maxLength: 6000, description: 'A signed logout token' }) },
  {
    $id: 'LogoutNotice',
    additionalProperties: true,
    maxProperties: 30,
    description: 'That a user has signed out at a provider (OpenID Connect Back-Channel Logout 1.0)'
  }
)
