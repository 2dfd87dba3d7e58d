import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findProfile } from '../../../src/domain/users/profiles.ts'
import { updateOwnUser } from '../../../src/domain/accounts/user-changes.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Profile, ProfilePatch } from '../../../src/schemas/profiles.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/profile',
    {
      config: { access: { permission: 'profile:read' } },
      schema: {
        operationId: 'getOwnProfile',
        summary: "Read one's profile",
        description: 'What the signed-in user tells about themselves. A field never set is null.',
        tags: ['user'],
        response: { 200: ref(Profile, 'The profile') }
      }
    },
    async (request) => findProfile(app.db, request.session.userId)
  )

  app.patch(
    '/profile',
    {
      config: { access: { permission: 'profile:update' } },
      schema: {
        operationId: 'updateOwnProfile',
        summary: "Change one's profile",
        description:
          'A merge patch: absent leaves, null clears. Addresses are stored and shown, never followed.',
        tags: ['user'],
        body: ref(ProfilePatch),
        response: { 200: ref(Profile, 'The profile as it is now') }
      }
    },
    async (request) =>
      (await updateOwnUser(app.db, request.self, 'profile:update', { profile: request.body }))
        .profile
  )
}

export default routes
