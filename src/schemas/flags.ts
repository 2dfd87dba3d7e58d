import { Type } from '@sinclair/typebox'
import {
  flagStates,
  flagTypes,
  operators,
  totalWeight,
  variantLimits
} from '../../db/schema/flags.ts'
import type { FlagValue as Value } from '../../db/schema/flags.ts'
import { descriptionLength } from '../../db/schema/permissions.ts'
import { pageOf } from './lists.ts'
import { closed, newDescription, oneOf, ref, text, Timestamp } from './primitives.ts'
import { RoleKey } from './roles.ts'

export const FlagKey = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[a-z0-9]+([._-][a-z0-9]+)*$',
  description: 'Unique; small letters and digits, with dashes, dots and underscores between them',
  examples: ['new-checkout']
})
const variantName = { minLength: 1, maxLength: 80, pattern: '^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$' }
const VariantName = Type.String({
  ...variantName,
  description: 'Name of a variant',
  examples: ['on']
})
const bounds = {
  maxLength: 4000,
  pattern: '^[^\\u0000]*$',
  minimum: -1e308,
  maximum: 1e308,
  maxProperties: 200,
  additionalProperties: true
}

export const FlagValue = Type.Unsafe<Value>({
  $id: 'FlagValue',
  type: ['boolean', 'string', 'number', 'object'],
  ...bounds,
  description: "A value of the flag's type; an object may have any properties",
  examples: [true]
})

/** An object with names of one's own: JSON Schema's way to say it. */
const variantsOf = <T>(value: object, description: string) =>
  Type.Unsafe<Record<string, T>>({
    type: 'object',
    additionalProperties: value,
    propertyNames: variantName,
    maxProperties: variantLimits.count,
    description
  })
const weight = Type.Integer({
  minimum: 0,
  maximum: totalWeight,
  format: 'int32',
  description: `Thousandths of a percent; all of a split sum to ${totalWeight}`
})

export const FlagRule = closed(
  {
    when: closed(
      {
        rolesAny: Type.Optional(
          Type.Array(RoleKey, { minItems: 1, maxItems: 100, description: 'Has any of these roles' })
        ),
        users: Type.Optional(
          Type.Array(text(256, { minLength: 1 }), {
            minItems: 1,
            maxItems: 1000,
            description: "Is any of these targeting keys; of somebody signed in it is the user's id"
          })
        ),
        attributes: Type.Optional(
          Type.Array(
            closed({
              name: text(80, {
                minLength: 1,
                description: 'Of a property of the context',
                examples: ['country']
              }),
              op: oneOf(operators),
              values: Type.Array(
                Type.Unsafe<string | number | boolean>({
                  type: ['string', 'number', 'boolean'],
                  maxLength: 256,
                  pattern: text(1).pattern,
                  minimum: -1e308,
                  maximum: 1e308
                }),
                { minItems: 1, maxItems: 100 }
              )
            }),
            {
              minItems: 1,
              maxItems: 20,
              description: 'All of these hold, each for any of its values'
            }
          )
        )
      },
      { description: 'All that is named must hold; nothing named holds for everybody' }
    ),
    serve: Type.Union(
      [
        closed({ variant: VariantName }),
        closed({
          split: Type.Array(closed({ variant: VariantName, weight }), {
            minItems: 1,
            maxItems: variantLimits.count
          })
        })
      ],
      { description: 'One variant, or shares of several' }
    )
  },
  { $id: 'FlagRule', description: 'Whom it is for, and what they get' }
)

const examples = ['The new way to pay']
const fields = {
  description: text(descriptionLength.max, { examples }),
  state: oneOf(flagStates, { description: 'Disabled, everybody gets `offVariant`' }),
  rules: Type.Array(ref(FlagRule), {
    maxItems: 50,
    description: 'The first that matches decides; none, and it is `defaultVariant`'
  }),
  public: Type.Boolean({ description: 'Whether it is told to callers who are not signed in' })
}
const variants = variantsOf<Value>(
  ref(FlagValue),
  `By name; all of the flag's type, and together at most ${variantLimits.bytes} bytes of JSON`
)

export const Flag = closed(
  {
    key: FlagKey,
    type: oneOf(flagTypes),
    ...fields,
    variants,
    defaultVariant: VariantName,
    offVariant: VariantName,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  { $id: 'Flag', description: 'A feature flag' }
)
export const FlagPage = pageOf('FlagPage', Flag, 'A page of feature flags')

const optional = {
  description: Type.Optional(newDescription({ examples })),
  state: Type.Optional(fields.state),
  rules: Type.Optional(fields.rules),
  public: Type.Optional(fields.public)
}

export const NewFlag = closed(
  {
    key: FlagKey,
    type: oneOf(flagTypes),
    variants,
    defaultVariant: VariantName,
    offVariant: VariantName,
    ...optional
  },
  {
    $id: 'NewFlag',
    description: 'A new feature flag; enabled, without rules and not public unless said otherwise'
  }
)

export const FlagPatch = closed(
  {
    ...optional,
    variants: Type.Optional(
      variantsOf<Value | null>(
        { type: ['boolean', 'string', 'number', 'object', 'null'], ...bounds },
        `Merged by name: null removes a variant. The flag keeps to ${variantLimits.count} variants and ${variantLimits.bytes} bytes of JSON`
      )
    ),
    defaultVariant: Type.Optional(VariantName),
    offVariant: Type.Optional(VariantName)
  },
  {
    $id: 'FlagPatch',
    minProperties: 1,
    description: 'Merge patch: absent leaves, rules are replaced. Key and type never change'
  }
)
