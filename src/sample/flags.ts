import type { FlagDefinition } from '../domain/flags/flags.ts'

export interface SampleFlag {
  key: string
  definition: FlagDefinition
  /** What was different before the last change. */
  before: Partial<FlagDefinition>
  /** Days ago. */
  made: number
  changed: number
  /** If it was deleted, how many days ago. */
  deleted?: number
  /** How many values of each variant are sent to apps on a day. */
  evaluations: Readonly<Record<string, number>>
}

/** Keys of flags and segments begin with the name of the sample, as those of permissions. */
export const sampleSegment = {
  key: 'sample.pilot',
  description: 'Customers who see new features first',
  when: {
    rolesAny: ['sample-beta'],
    attributes: [{ name: 'country', op: 'in' as const, values: ['DE', 'AT'] }]
  },
  /** What was different before the last change. */
  before: { when: { rolesAny: ['sample-beta'] } },
  /** Days ago. */
  ...{ made: 12, changed: 4 }
}

const enabled = { state: 'enabled', public: false, permanent: false } as const
const boolean = {
  type: 'boolean',
  ...{ variants: { on: true, off: false }, defaultVariant: 'off', offVariant: 'off' }
} as const
const weights = (shares: Record<string, number>) => ({
  split: Object.entries(shares).map(([variant, percent]) => ({ variant, weight: percent * 1000 }))
})

/** @param soon when a rule begins */
export const sampleFlags = (soon: Date): SampleFlag[] => [
  {
    key: 'sample.new-checkout',
    definition: {
      ...{ ...boolean, ...enabled, description: 'The checkout on one page' },
      rules: [
        { when: { segmentsAny: [sampleSegment.key] }, serve: { variant: 'on' } },
        {
          when: { attributes: [{ name: 'country', op: 'in', values: ['FR', 'IT'] }] },
          serve: weights({ on: 20, off: 80 })
        },
        { when: { from: soon.toISOString() }, serve: { variant: 'on' } }
      ]
    },
    before: { rules: [{ when: { rolesAny: ['sample-beta'] }, serve: { variant: 'on' } }] },
    ...{ made: 12, changed: 1, evaluations: { off: 1200, on: 400 } }
  },
  {
    key: 'sample.greeting',
    definition: {
      ...{ ...enabled, type: 'string', description: 'The first sentence of the start page' },
      variants: { plain: 'Welcome', warm: 'Good to see you', short: 'Hello' },
      ...{ defaultVariant: 'plain', offVariant: 'plain', public: true },
      rules: [{ when: {}, serve: weights({ plain: 50, warm: 30, short: 20 }) }]
    },
    before: { rules: [] },
    ...{ made: 12, changed: 3, evaluations: { plain: 800, warm: 480, short: 320 } }
  },
  {
    key: 'sample.upload-limit',
    definition: {
      ...{ ...enabled, type: 'number', permanent: true },
      description: 'Megabytes that a user may upload at a time',
      ...{ variants: { small: 10, large: 250 }, defaultVariant: 'small', offVariant: 'small' },
      rules: [
        { when: { rolesAny: ['sample-editor', 'sample-support'] }, serve: { variant: 'large' } }
      ]
    },
    before: { variants: { small: 10, large: 100 } },
    ...{ made: 12, changed: 5, evaluations: { small: 60, large: 20 } }
  },
  {
    key: 'sample.search',
    definition: {
      ...{ ...enabled, type: 'object', description: 'How the search ranks its results' },
      variants: {
        current: { engine: 'words', results: 20 },
        next: { engine: 'meaning', results: 50 }
      },
      ...{ defaultVariant: 'current', offVariant: 'current', rules: [] }
    },
    before: { description: '' },
    ...{ made: 12, changed: 7, evaluations: {} }
  },
  {
    key: 'sample.old-export',
    definition: {
      ...{ ...boolean, ...enabled, state: 'disabled', rules: [] },
      description: 'The export as a spreadsheet, which nobody uses any more'
    },
    before: { state: 'enabled' },
    ...{ made: 80, changed: 40, evaluations: {} } // nothing else is stale
  },
  {
    key: 'sample.summer-banner',
    definition: {
      ...{ ...boolean, ...enabled, description: 'The banner of the summer sale' },
      rules: [{ when: { rolesAny: ['sample-beta'] }, serve: { variant: 'on' } }]
    },
    before: { rules: [] },
    ...{ made: 60, changed: 45, deleted: 9, evaluations: {} }
  }
]
