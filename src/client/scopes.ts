import type { components } from '../../openapi/api.d.ts'
import type { createConnection } from './connection.ts'
import { isRejected, ok } from './refusals.ts'

type Api = ReturnType<typeof createConnection>['api']
type Schemas = components['schemas']

/** The page of a list. */
interface Part {
  limit?: number
  cursor?: string
}

/** Whether the user has a permission in a scope; nobody has one without a session. */
export async function mayIn(api: Api, permission: string, scope: string) {
  const asked = api.GET('/api/auth/me', { params: { query: { scope } } })
  const found = await ok(asked).catch((error: unknown) => {
    if (!isRejected(error) || error.problem.code !== 'unauthenticated') throw error
  })
  const held = [...(found?.user.permissions ?? []), ...(found?.scope?.permissions ?? [])]
  return held.includes(permission as never)
}

/** Calls about the scopes in which the user has roles. */
export function scopeCalls(api: Api) {
  const of = (scope: string, query: Part = {}) => ({ params: { path: { scope }, query } })
  const membership = (scope: string, id: string, role: string) => ({
    params: { path: { scope, id, role } }
  })
  return {
    /** The scopes of the user, with their roles there. */
    scopes: async () => (await ok(api.GET('/api/user/scopes'))).items,
    /** Opens a scope of a kind, where the portal lets users do that. */
    openScope: (kind: string) => ok(api.POST('/api/scopes', { body: { kind } })),
    /** One page of the members of a scope, for its managers, as is all that follows. */
    members: (scope: string, part?: Part) =>
      ok(api.GET('/api/scopes/{scope}/members', of(scope, part))),
    /** Grants a member another role. Others are invited. */
    grant: (scope: string, userId: string, role: string) =>
      ok(api.PUT('/api/scopes/{scope}/members/{id}/roles/{role}', membership(scope, userId, role))),
    /** Revokes a role of a member. Users who are not managers can give up their own. */
    revoke: (scope: string, userId: string, role: string) =>
      ok(
        api.DELETE('/api/scopes/{scope}/members/{id}/roles/{role}', membership(scope, userId, role))
      ),
    /** One page of the invitations that were not accepted yet. */
    invitations: (scope: string, part?: Part) =>
      ok(api.GET('/api/scopes/{scope}/invitations', of(scope, part))),
    /** Sends somebody a link with which they get a role. */
    invite: (scope: string, body: Schemas['NewInvitation']) =>
      ok(
        api.POST('/api/scopes/{scope}/invitations', {
          params: { path: { scope } },
          body: { ...body, email: body.email.trim() }
        })
      ),
    withdraw: (scope: string, id: string) =>
      ok(api.DELETE('/api/scopes/{scope}/invitations/{id}', { params: { path: { scope, id } } })),
    /** Accepts an invitation with the token of its link. Anybody who was invited can. */
    accept: (token: string) => ok(api.POST('/api/auth/invitation', { body: { token } })),
    /** Creates an account for the address of an invitation, accepts it and signs in. */
    registerInvited: (body: Schemas['InvitedRegistration']) =>
      ok(api.POST('/api/auth/invitation/register', { body }))
  }
}
