import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateOwnUser } from '../../../src/domain/accounts/profile-changes.ts'
import { findProfile } from '../../../src/domain/users/profiles.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Name, NameChange, Profile, ProfilePatch, Theme } from '../../../src/schemas/users.ts'

export default (async (app) => {
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

  app.put('/name', {
    config: { access: { permission: 'name:update' }, tag: 'user', order: 20 },
    schema: {
      operationId: 'setOwnName',
      summary: "Set the current user's name",
      description: 'Changes the display name. Leading and trailing whitespace is trimmed.',
      body: ref(NameChange),
      response: { 200: ref(Name, 'The new name') }
    },
    handler: async (request) => updateOwnUser(app.db, request.self, request.body)
  })

  app.put('/theme', {
    config: { access: { permission: 'theme:update' }, tag: 'user', order: 30 },
    schema: {
      operationId: 'setOwnTheme',
      summary: "Set the current user's theme",
      description: 'Changes the theme of the app for this user, on all of their devices.',
      body: ref(Theme),
      response: { 200: ref(Theme, 'The new theme') }
    },
    handler: async (request) => updateOwnUser(app.db, request.self, request.body)
  })
}) satisfies FastifyPluginAsyncTypebox
