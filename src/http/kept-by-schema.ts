/**
 * Keeps functions by the text of their schema and of those that it can refer to. Equal schemas
 * share one: the refusals of many routes, and the applications of one process.
 */
export function keptBySchema<Compiled>() {
  const kept = new Map<string, Map<string, Compiled>>()
  return (shared: unknown) => {
    let own: Map<string, Compiled> | undefined
    return (schema: unknown, compile: () => Compiled): Compiled => {
      if (!own) {
        const text = JSON.stringify(shared)
        own = kept.get(text) ?? new Map()
        kept.set(text, own)
      }
      const text = JSON.stringify(schema)
      const compiled = own.get(text) ?? compile()
      own.set(text, compiled)
      return compiled
    }
  }
}
