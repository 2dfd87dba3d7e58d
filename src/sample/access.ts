import type { flags } from '../../db/schema/flags.ts'

type Flag = Omit<typeof flags.$inferInsert, 'createdAt'>

/** The keys of the sample begin with its name, so that they collide with no others. */
export const samplePermissions = [
  ['sample-invoices:read', 'View invoices'],
  ['sample-invoices:refund', 'Refund an invoice'],
  ['sample-articles:publish', 'Publish an article'],
  ['sample-tickets:reply', 'Reply to a ticket']
] as const

/** `every`: the role of each n-th person. */
export const sampleRoles = [
  {
    key: 'sample-support',
    name: 'Support',
    description: 'Replies to customers and finds their accounts',
    permissions: ['sample-tickets:reply', 'users:read', 'sessions:read'],
    every: 5
  },
  {
    key: 'sample-billing',
    name: 'Billing',
    description: 'Invoices and refunds, with a second factor only',
    permissions: ['sample-invoices:read', 'sample-invoices:refund'],
    requiresSecondFactor: true,
    every: 8
  },
  {
    key: 'sample-editor',
    name: 'Editor',
    description: 'Writes and publishes',
    permissions: ['sample-articles:publish'],
    every: 6
  },
  {
    key: 'sample-beta',
    name: 'Beta testers',
    description: 'Sees new features first, and may do nothing else',
    permissions: [],
    every: 4
  }
] as const

const boolean = { variants: { on: true, off: false }, defaultVariant: 'off', offVariant: 'off' }

export const sampleFlags: Flag[] = [
  {
    key: 'sample.new-checkout',
    description: 'The checkout on one page',
    type: 'boolean',
    state: 'enabled',
    ...boolean,
    public: false,
    permanent: false,
    rules: [
      { when: { rolesAny: ['sample-beta'] }, serve: { variant: 'on' } },
      {
        when: { attributes: [{ name: 'country', op: 'in', values: ['DE', 'AT'] }] },
        serve: {
          split: [
            { variant: 'on', weight: 20_000 },
            { variant: 'off', weight: 80_000 }
          ]
        }
      }
    ]
  },
  {
    key: 'sample.greeting',
    description: 'The first sentence of the start page',
    type: 'string',
    state: 'enabled',
    variants: { plain: 'Welcome', warm: 'Good to see you', short: 'Hello' },
    defaultVariant: 'plain',
    offVariant: 'plain',
    public: true,
    permanent: false,
    rules: [
      {
        when: {},
        serve: {
          split: [
            { variant: 'plain', weight: 50_000 },
            { variant: 'warm', weight: 30_000 },
            { variant: 'short', weight: 20_000 }
          ]
        }
      }
    ]
  },
  {
    key: 'sample.upload-limit',
    description: 'Megabytes that a user may upload at a time',
    type: 'number',
    state: 'enabled',
    variants: { small: 10, large: 250 },
    defaultVariant: 'small',
    offVariant: 'small',
    public: false,
    permanent: true,
    rules: [
      { when: { rolesAny: ['sample-editor', 'sample-support'] }, serve: { variant: 'large' } }
    ]
  },
  {
    key: 'sample.search',
    description: 'How the search ranks its results',
    type: 'object',
    state: 'enabled',
    variants: {
      current: { engine: 'words', results: 20 },
      next: { engine: 'meaning', results: 50 }
    },
    defaultVariant: 'current',
    offVariant: 'current',
    public: false,
    permanent: false,
    rules: []
  },
  {
    key: 'sample.old-export',
    description: 'The export as a spreadsheet, which nobody uses any more',
    type: 'boolean',
    state: 'disabled',
    ...boolean,
    public: false,
    permanent: false,
    rules: []
  }
]
