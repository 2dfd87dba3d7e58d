import { Type } from '@sinclair/typebox'
import { mostPasskeys } from '../../db/schema/passkeys.ts'
import { Passkey } from './passkeys.ts'
import { closed, Count, nullable, Timestamp } from './primitives.ts'
import { providerAccountList } from './providers.ts'
import { keys, secondFactor } from './users.ts'

const { credentialId, ...shownOfPasskey } = Passkey.properties
const lastUsedAt = (description: string) => nullable(Timestamp(description))

export const UserFactors = closed(
  {
    secondFactor,
    requiredByRoles: keys("Keys of the user's roles that require a second factor", ['admin']),
    totp: nullable(
      closed(
        {
          createdAt: Timestamp('Time at which it was set up'),
          lastUsedAt: lastUsedAt('Time of the last code, to within a minute')
        },
        { description: 'The authenticator app' }
      )
    ),
    passkeys: Type.Array(closed(shownOfPasskey), {
      maxItems: mostPasskeys,
      description: 'Passkeys, oldest first'
    }),
    providers: providerAccountList,
    recoveryCodes: nullable(
      closed(
        {
          left: Count('Number of unused recovery codes'),
          createdAt: Timestamp('Time at which they were created'),
          lastUsedAt: lastUsedAt('Time at which one was used')
        },
        { description: 'The recovery codes' }
      )
    )
  },
  {
    $id: 'UserFactors',
    description: 'The second factors and linked accounts of a user, as shown to administrators'
  }
)
