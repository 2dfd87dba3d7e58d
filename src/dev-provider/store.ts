import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Kept {
  payload: AdapterPayload
  /** Milliseconds since 1970. */
  until: number
}

/** More than people can begin by hand. The oldest go first. */
const most = 1000

/** What a provider keeps until it stops. The storage of the library is shared by all providers. */
export function createStore(): (model: string) => Adapter {
  const kept = new Map<string, Kept>()
  const find = (matches: (payload: AdapterPayload) => boolean) =>
    [...kept.values()].find(({ payload }) => matches(payload))?.payload

  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    return {
      async upsert(id, payload, expiresIn) {
        kept.delete(keyOf(id))
        kept.set(keyOf(id), { payload, until: Date.now() + (expiresIn || 600) * 1000 })
        const [oldest] = kept.keys()
        if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      },
      async find(id) {
        const found = kept.get(keyOf(id))
        return found && found.until > Date.now() ? found.payload : undefined
      },
      async findByUid(uid) {
        return find((payload) => payload.uid === uid)
      },
      async findByUserCode(userCode) {
        return find((payload) => payload.userCode === userCode)
      },
      async consume(id) {
        const found = kept.get(keyOf(id))
        if (found) found.payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        kept.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      }
    }
  }
}
