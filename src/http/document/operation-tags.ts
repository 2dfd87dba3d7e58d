/**
 * The tags of operations, in the order of typical use. By hand, because no route knows this order.
 */
const tags = {
  auth: 'Register, sign in, sign out',
  user: "The current user's profile, settings, sessions and activity",
  scopes: 'Scopes: who has roles in them, and invitations',
  flags: 'Feature flags, evaluated with the OpenFeature Remote Evaluation Protocol (OFREP)',
  machine: 'For programs with an API key',
  users: 'Users and their roles',
  roles: 'Roles: named sets of permissions that are granted to users',
  permissions: 'Permissions that the portal and the app require',
  services: 'Services: accounts of machines, and their API keys',
  keys: 'API keys of users and services',
  sessions: 'Sessions of all users',
  activity: 'The audit trail',
  webhooks: 'Webhooks: where activity records are sent, and their deliveries',
  outbox: 'Mail in the outbox',
  console: 'The session of `portal console`',
  operations: 'Health checks and this document, for load balancers and tools'
} as const

export type Tag = keyof typeof tags

export const tagNames = Object.keys(tags)

/** The tags of these operations, as the document has them. */
export function describeTags(used: Iterable<string>, own: Readonly<Record<string, string>> = {}) {
  const present = new Set(used)
  return Object.entries({ ...tags, ...own })
    .filter(([name]) => present.has(name))
    .map(([name, description]) => ({ name, description }))
}

type Paths<T> = Record<string, Record<string, T>>
interface Placed {
  tags?: string[]
  'x-order'?: number
}

/** Paths with an order by their tags, then the others by name: a list comes before its items. */
export function inOrder<T extends Placed>(paths: Paths<T>): Paths<T> {
  const placed = Object.entries(paths).map(([path, item]) => {
    const operations = Object.values(item)
    const order = operations.find((each) => each['x-order'] !== undefined)?.['x-order']
    const tag =
      order === undefined ? tagNames.length : tagNames.indexOf(operations[0]?.tags?.[0] ?? '')
    for (const operation of operations) delete operation['x-order']
    return { path, item, tag, order: order ?? 0 }
  })
  placed.sort((a, b) => a.tag - b.tag || a.order - b.order || (a.path < b.path ? -1 : 1))
  return Object.fromEntries(placed.map(({ path, item }) => [path, item]))
}
