interface Response {
  $ref?: string
  headers?: object
  content?: Record<string, { schema?: { allOf?: Narrowing[] } }>
}
interface Narrowing {
  properties?: { code?: { enum: string[] } }
}
export interface Operation {
  responses: Record<string, Response>
}

/** Names of refusals with several codes. Those with one code have its name. */
const names: Record<string, string> = {
  'invalid-request malformed-request': 'InvalidRequest',
  'invalid-request malformed-json malformed-request': 'InvalidBody',
  'invalid-cursor invalid-request malformed-request': 'InvalidList',
  'malformed-json malformed-request': 'MalformedBody',
  'cross-site permission-denied': 'Forbidden',
  'cross-site reauthentication-required': 'Unproved',
  'cross-site reauthentication-required wrong-password': 'WrongPassword',
  'database-unavailable overloaded': 'Unavailable'
}

/**
 * Replaces the refusals that several operations have in common by references, because they would
 * be most of the document, and returns the components.
 */
export function shareResponses(operations: Operation[]): Record<string, Response> {
  const count = new Map<string, number>()
  for (const { responses } of operations) {
    for (const text of Object.values(responses).map((response) => JSON.stringify(response))) {
      count.set(text, (count.get(text) ?? 0) + 1)
    }
  }
  const shared: Record<string, Response> = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const [name, text] = [nameOf(response), JSON.stringify(response)]
      if (name === undefined || count.get(text) === 1) continue
      shared[name] ??= response
      if (JSON.stringify(shared[name]) !== text) continue // other words for the same codes
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function nameOf({ content }: Response) {
  const narrowing = content?.['application/problem+json']?.schema?.allOf?.[1]
  const codes = narrowing?.properties?.code?.enum ?? []
  if (codes.length !== 1) return names[codes.join(' ')]
  return codes[0]?.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
