import { Type } from '@sinclair/typebox'
import { closed, integer, ref, text } from './primitives.ts'
import { CurrentUser, keys } from './users.ts'

export const SeenUser = closed(
  {
    assurance: integer(1, 2, "Number of factors proved in the user's session"),
    user: Type.Union([ref(CurrentUser), Type.Null()], {
      description: '`user` of `GET /api/auth/me` in such a session; null for a deactivated user'
    }),
    permissions: Type.Array(
      closed({
        key: text(80, { description: 'Key of the permission', examples: ['profile:read'] }),
        grantedBy: keys('Keys of the roles that give it in this session', ['user']),
        withheldBy: keys('Keys of the roles that give it only with a second factor', [])
      }),
      { maxItems: 10_000, description: "The permissions of all of the user's roles" }
    )
  },
  { $id: 'SeenUser', description: 'What a user gets in a session' }
)
