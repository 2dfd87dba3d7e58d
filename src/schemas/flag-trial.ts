import { Type } from '@sinclair/typebox'
import { segmentLimits, totalWeight, variantLimits } from '../../db/schema/flags.ts'
import type { Assurance } from '../../db/schema/sessions.ts'
import type { SettingsDocument } from '../../db/schema/users.ts'
import { FlagTime, SegmentKey, VariantName } from './flag-rules.ts'
import { FlagKey, NewFlag, nullableFlagValue } from './flags.ts'
import { pageOf } from './lists.ts'
import { reasons } from './ofrep.ts'
import { closed, Count, Id, integer, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { RoleKey } from './roles.ts'
import { ScopeKey } from './scopes.ts'

/** Maximum number of made-up targeting keys of one request. */
export const maxSample = 1000

export const TriedAssurance = Type.Optional(
  Type.Unsafe<Assurance>({
    type: 'integer',
    minimum: 1,
    maximum: 2,
    format: 'int32',
    description:
      "Number of factors proved in the user's session: roles that require a second factor count " +
      'with 2 only. By default that of a sign-in with the password'
  })
)

const rolesOf = (description: string) => Type.Array(RoleKey, { maxItems: 1000, description })

export const FlagTrial = closed(
  {
    key: Type.Optional(FlagKey),
    flag: Type.Optional(ref(NewFlag)),
    context: Type.Optional(
      closed(
        {
          userId: Type.Optional(
            Id('Evaluate as for this user, with their roles. Requires `users:read` as well')
          ),
          assurance: TriedAssurance,
          targetingKey: Type.Optional(
            text(256, { minLength: 1, description: 'Targeting key of a made-up caller' })
          ),
          roles: Type.Optional(
            rolesOf('Roles of a made-up signed-in user. Without them the caller is not signed in')
          ),
          scope: Type.Optional(ScopeKey),
          attributes: Type.Optional(
            Type.Unsafe<Record<string, unknown>>({
              type: 'object',
              additionalProperties: true,
              maxProperties: 100,
              description: 'Attributes that rules can refer to; texts have at most 512 characters'
            })
          ),
          at: FlagTime,
          appSettings: Type.Optional(
            Type.Unsafe<SettingsDocument>({
              type: 'object',
              additionalProperties: true,
              maxProperties: 200,
              description: 'App settings of a made-up signed-in user'
            })
          )
        },
        { description: 'A user or a made-up caller; by default a visitor without a targeting key' }
      )
    ),
    sample: Type.Optional(
      integer(
        1,
        maxSample,
        'Number of made-up targeting keys to count by variant, in the same context'
      )
    )
  },
  {
    $id: 'FlagTrial',
    examples: [
      {
        key: 'new-checkout',
        context: { targetingKey: 'visitor-1', roles: ['admin'], attributes: { country: 'DE' } },
        sample: 100
      }
    ],
    description:
      'The flag to evaluate: `key` of a saved one, or the definition of another; and for whom'
  }
)

const decision = {
  key: FlagKey,
  value: nullableFlagValue('The value; null if a targeting key is missing'),
  variant: nullable(VariantName),
  reason: oneOf([...reasons, 'TARGETING_KEY_MISSING'], {
    description:
      '`STATIC`: the flag has no rules; `TARGETING_MATCH`: a rule matched; `SPLIT`: the split ' +
      'of a rule decided; `DEFAULT`: no rule matched; `DISABLED`: the flag is disabled; ' +
      '`TARGETING_KEY_MISSING`: a rule would split, but there is no targeting key'
  }),
  rule: nullable(integer(0, 49, 'Index of the rule that matched')),
  bucket: nullable(
    integer(
      0,
      totalWeight - 1,
      'Position of the targeting key in the split, in thousandths of a percent'
    )
  )
}

export const FlagTrialResult = closed(
  {
    ...decision,
    at: Timestamp('The time for which the flag was evaluated'),
    nextChange: nullable(
      Timestamp('When a rule of the flag begins or ends next; null if none does')
    ),
    segments: Type.Array(SegmentKey, {
      maxItems: segmentLimits.inFlag,
      description: 'The segments named by rules of the flag in which the caller is'
    }),
    visible: Type.Boolean({
      description:
        'Whether this caller can evaluate the flag: it is public or they are signed in. For ' +
        'others it does not exist'
    }),
    context: closed(
      {
        signedIn: Type.Boolean({ description: 'Whether the caller is signed in' }),
        targetingKey: nullable(text(256, { description: 'Targeting key' })),
        roles: rolesOf('Roles that count'),
        suspendedRoles: rolesOf(
          'Roles of the user that do not count, because they require a second factor'
        ),
        scope: nullable(
          text(81, { description: 'The scope, if the caller has a role in it that counts' })
        )
      },
      { description: 'The context in which the flag was evaluated' }
    ),
    shares: Type.Optional(
      Type.Array(closed({ variant: VariantName, count: Count('Number of targeting keys') }), {
        maxItems: variantLimits.count,
        description: 'Every variant; only with `sample`'
      })
    )
  },
  { $id: 'FlagTrialResult', description: 'The result of an evaluation, and how it was decided' }
)

/** @public a component of the API document */
export const UserFlag = closed(decision, {
  $id: 'UserFlag',
  description: 'A feature flag as a user gets it, and how it was decided'
})
export const UserFlagPage = pageOf('UserFlagPage', UserFlag, 'A page of feature flags of a user')
