import { Type } from '@sinclair/typebox'
import {
  flagKeyForm,
  flagKeyLength,
  flagStates,
  flagTypes,
  variantLimits
} from '../../db/schema/flags.ts'
import type { FlagValue as Value } from '../../db/schema/flags.ts'
import { descriptionLength } from '../../db/schema/roles.ts'
import { FlagRule, NewFlagRule, variantName, VariantName } from './flag-rules.ts'
import { pageOf, search } from './lists.ts'
import { closed, newDescription, oneOf, ref, text, Timestamp } from './primitives.ts'

export const FlagKey = Type.String({
  minLength: flagKeyLength.min,
  maxLength: flagKeyLength.max,
  pattern: flagKeyForm.source,
  description:
    'Unique flag key: lowercase letters and digits, separated by single hyphens, dots or ' +
    'underscores',
  examples: ['new-checkout']
})
const bounds = {
  maxLength: 4000,
  pattern: '^[^\\u0000]*$',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
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
export const FlagPage = closed(
  {
    ...pageOf('FlagPage', Flag, '').properties,
    total: Type.Integer({
      minimum: 0,
      format: 'int32',
      description: 'Number of flags that match, on all pages',
      examples: [3]
    })
  },
  { $id: 'FlagPage', description: 'A page of feature flags' }
)

/** Filters of the list of flags. */
export const flagFilters = {
  ...search('the key or the description'),
  type: Type.Optional(oneOf(flagTypes, { description: 'Only flags of this type' })),
  state: Type.Optional(
    oneOf([...flagStates, 'stale'] as const, {
      description: 'Only flags with this state; `stale` are those of `GET /api/admin/stale-flags`'
    })
  )
}

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
