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
