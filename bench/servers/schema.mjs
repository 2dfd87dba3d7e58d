/** The schema of a route that sends all bytes of a body. */
export const schemaOf = (body) => ({ response: { 200: valueSchema(body) } })

function valueSchema(value) {
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } }
  if (value === null || typeof value !== 'object') {
    return { type: value === null ? 'null' : typeof value }
  }
  const properties = Object.entries(value).map(([name, each]) => [name, valueSchema(each)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
