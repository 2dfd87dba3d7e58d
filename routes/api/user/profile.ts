import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findProfile } from '../../../src/domain/users/profiles.ts'
import { updateOwnUser } from '../../../src/domain/accounts/own-settings.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Profile, ProfilePatch } from '../../../src/schemas/profiles.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/profile', {
    config: { access: { permission: 'profile:read' }, tag: 'user', order: 10 },
    schema: {
      operationId: 'getOwnProfile',
      summary: "Get the current user's profile",
      description: 'Returns the profile of the signed-in user. Fields that are not set are null.',
      response: { 200: ref(Profile, 'The profile') }
    },
    handler: async (request) => findProfile(app.db, request.session.userId)
  })

  app.patch('/profile', {
    config: { access: { permission: 'profile:update' }, tag: 'user' },
    schema: {
      operationId: 'updateOwnProfile',
      summary: "Update the current user's profile",
      description:
        'Applies a merge patch: omitted fields keep their value, null clears a field. URLs are ' +
        'stored and never fetched.',
      body: ref(ProfilePatch),
      response: { 200: ref(Profile, 'The updated profile') }
    },
    handler: async (request) =>
      (await updateOwnUser(app.db, request.self, { profile: request.body })).profile
  })
}

export default routes
