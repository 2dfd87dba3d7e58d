import { Type } from '@sinclair/typebox'
import type { TString } from '@sinclair/typebox'
import {
  flagKeyForm,
  flagKeyLength,
  operators,
  totalWeight,
  variantLimits
} from '../../db/schema/flags.ts'
import { closed, integer, oneOf, text } from './primitives.ts'
import { RoleKey } from './roles.ts'
import { ScopeKey } from './scopes.ts'

export const variantName = {
  minLength: 1,
  maxLength: 80,
  pattern: '^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$'
}
export const VariantName = Type.String({
  ...variantName,
  description: 'Name of a variant',
  examples: ['on']
})
const weight = integer(
  0,
  totalWeight,
  `Share in thousandths of a percent; the weights of a split add up to ${totalWeight}`
)

export const SegmentKey = Type.String({
  minLength: flagKeyLength.min,
  maxLength: flagKeyLength.max,
  pattern: flagKeyForm.source,
  description: 'Unique segment key, in the form of flag keys',
  examples: ['beta-testers']
})

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
            // Beyond these, JSON parsers round integers (RFC 8259, section 6).
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER
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

const conditionsOfSegment = {
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
  scopes: Type.Optional(
    Type.Array(ScopeKey, {
      minItems: 1,
      maxItems: 100,
      description:
        'The evaluation names any of these scopes in its query, and the user has a role in it'
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
  )
}
const conditionsOfRule = {
  ...conditionsOfSegment,
  segmentsAny: Type.Optional(
    Type.Array(SegmentKey, {
      minItems: 1,
      maxItems: 20,
      description: 'The caller is in any of these segments'
    })
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

const ofSegment = {
  description: 'Conditions that must all hold for a caller who is in the segment'
}

/** The form in a response: a newer release may have written parts that this one does not know. */
export const SegmentWhen = Type.Object(conditionsOfSegment, {
  ...ofSegment,
  additionalProperties: true,
  'x-published': { additionalProperties: undefined }
})
/** Without a condition everybody would be in the segment, which nobody means. */
export const NewSegmentWhen = closed(conditionsOfSegment, { ...ofSegment, minProperties: 1 })

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
