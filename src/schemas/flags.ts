import { Type } from '@sinclair/typebox'
import type { TString } from '@sinclair/typebox'
import {
  flagKeyForm,
  flagKeyLength,
  flagStates,
  flagTypes,
  operators,
  totalWeight,
  variantLimits
} from '../../db/schema/flags.ts'
import type { FlagValue as Value } from '../../db/schema/flags.ts'
import { descriptionLength } from '../../db/schema/permissions.ts'
import { pageOf } from './lists.ts'
import { closed, integer, newDescription, oneOf, ref, text, Timestamp } from './primitives.ts'
import { RoleKey } from './roles.ts'

export const FlagKey = Type.String({
  minLength: flagKeyLength.min,
  maxLength: flagKeyLength.max,
  pattern: flagKeyForm.source,
  description:
    'Unique flag key: lowercase letters and digits, separated by single hyphens, dots or ' +
    'underscores',
  examples: ['new-checkout']
})
const variantName = { minLength: 1, maxLength: 80, pattern: '^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$' }
export const VariantName = Type.String({
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

export const nullableFlagValue = (description: string) =>
  Type.Unsafe<Value | null>({
    type: ['boolean', 'string', 'number', 'object', 'null'],
    ...bounds,
    description
  })

/** An object whose property names are chosen by the caller. */
const variantsOf = <T>(value: object, description: string) =>
  Type.Unsafe<Record<string, T>>({
    type: 'object',
    additionalProperties: value,
    propertyNames: variantName,
    maxProperties: variantLimits.count,
    description
  })
const weight = integer(
  0,
  totalWeight,
  `Share in thousandths of a percent; the weights of a split add up to ${totalWeight}`
)

const settingPath = '^[a-z][A-Za-z0-9]*([.][a-z][A-Za-z0-9]*)*$'

const conditions = (name: TString, description: string) =>
  Type.Optional(
    Type.Array(
      closed({
        name,
        op: oneOf(operators, { description: 'Comparison operator' }),
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
      { minItems: 1, maxItems: 20, description }
    )
  )

/** RFC 3339, with any offset. */
const time = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d([.]\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
      description,
      examples: ['2026-12-01T08:00:00+01:00']
    })
  )
export const FlagTime = time('Time to evaluate for; by default now')

const conditionsOfRule = {
  rolesAny: Type.Optional(
    Type.Array(RoleKey, {
      minItems: 1,
      maxItems: 100,
      description: 'The user has any of these roles'
    })
  ),
  users: Type.Optional(
    Type.Array(text(256, { minLength: 1 }), {
      minItems: 1,
      maxItems: 1000,
      description: 'The targeting key is any of these; for a signed-in user it is the user id'
    })
  ),
  attributes: conditions(
    text(80, {
      minLength: 1,
      description: 'Name of a context property',
      examples: ['country']
    }),
    'All of these conditions hold; each holds for any of its values'
  ),
  appSettings: conditions(
    Type.String({
      maxLength: 200,
      pattern: settingPath,
      description: 'Path of an app setting that is not an object or a list',
      examples: ['limits.projects']
    }),
    'All of these conditions on the app settings of the signed-in user hold'
  ),
  from: time('The rule begins to match at this time; stored in UTC with milliseconds'),
  until: time('From this time on the rule no longer matches; later than `from`')
}
const ofRule = {
  description: 'Conditions that must all hold; without conditions the rule matches everyone'
}
const served = {
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
    { description: 'One variant, or a split between several' }
  )
}
const rule = 'A targeting rule: who it applies to and which variant it serves'

export const FlagRule = closed(
  {
    // A newer release may have written parts that this one does not know.
    when: Type.Object(conditionsOfRule, {
      ...ofRule,
      additionalProperties: true,
      'x-published': { additionalProperties: undefined }
    }),
    ...served
  },
  { $id: 'FlagRule', description: `${rule}. A rule with an unknown condition never matches` }
)

export const NewFlagRule = closed(
  { when: closed(conditionsOfRule, ofRule), ...served },
  { $id: 'NewFlagRule', description: rule }
)

const rules = {
  maxItems: 50,
  description: 'The first rule that matches decides; without a match `defaultVariant` is served'
}
const examples = ['The new checkout']
const fields = {
  description: text(descriptionLength.max, { examples }),
  state: oneOf(flagStates, { description: 'A disabled flag always serves `offVariant`' }),
  rules: Type.Array(ref(FlagRule), rules),
  public: Type.Boolean({
    description: 'Whether callers who are not signed in can evaluate the flag'
  }),
  permanent: Type.Boolean({
    description: 'Whether the flag is meant to stay: it is never reported as stale'
  })
}
const variants = variantsOf<Value>(
  ref(FlagValue),
  `Variants by name. All have the type of the flag, and together they take at most ` +
    `${variantLimits.bytes} bytes of JSON`
)

/** Everything that a change of a flag can change. */
export const definedByFlag = {
  type: oneOf(flagTypes, { description: 'Type of all variants' }),
  ...fields,
  variants,
  defaultVariant: VariantName,
  offVariant: VariantName
}
export const Flag = closed(
  {
    key: FlagKey,
    ...definedByFlag,
    createdAt: Timestamp('Time of creation'),
    updatedAt: Timestamp('Time of the last change')
  },
  { $id: 'Flag', description: 'A feature flag' }
)
export const FlagPage = pageOf('FlagPage', Flag, 'A page of feature flags')

const optional = {
  description: Type.Optional(newDescription({ examples })),
  state: Type.Optional(fields.state),
  rules: Type.Optional(Type.Array(ref(NewFlagRule), rules)),
  public: Type.Optional(fields.public),
  permanent: Type.Optional(fields.permanent)
}

export const NewFlag = closed(
  {
    key: FlagKey,
    type: oneOf(flagTypes, { description: 'Type of all variants' }),
    variants,
    defaultVariant: VariantName,
    offVariant: VariantName,
    ...optional
  },
  {
    $id: 'NewFlag',
    examples: [
      {
        key: 'new-checkout',
        type: 'boolean',
        description: 'The new checkout',
        variants: { on: true, off: false },
        defaultVariant: 'off',
        offVariant: 'off',
        rules: [{ when: { rolesAny: ['admin'] }, serve: { variant: 'on' } }],
        public: true
      }
    ],
    description:
      'A new feature flag; by default enabled, without rules, and neither public nor permanent'
  }
)

export const FlagPatch = closed(
  {
    ...optional,
    variants: Type.Optional(
      variantsOf<Value | null>(
        { type: ['boolean', 'string', 'number', 'object', 'null'], ...bounds },
        `Variants to merge by name; null removes a variant. The result has at most ` +
          `${variantLimits.count} variants and ${variantLimits.bytes} bytes of JSON`
      )
    ),
    defaultVariant: Type.Optional(VariantName),
    offVariant: Type.Optional(VariantName)
  },
  {
    $id: 'FlagPatch',
    examples: [{ defaultVariant: 'on', rules: [] }],
    minProperties: 1,
    description:
      'Merge patch: omitted fields keep their value, rules are replaced. Key and type cannot change'
  }
)
