import type { createConnection } from './connection.ts'
import { ok } from './refusals.ts'

type Api = ReturnType<typeof createConnection>['api']

/** Whether the user has a permission in a scope; nobody has one without a session. */
export async function mayIn(api: Api, permission: string, scope: string) {
  const call = api.GET('/api/auth/me', { params: { query: { scope } } })
  if ((await call).response.status === 401) return false
  const { user, scope: rights } = await ok(call)
  return [user, rights].some((each) => each?.permissions.includes(permission as never))
}
