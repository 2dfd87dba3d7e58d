import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rpIdOf } from '../../../src/config/passkeys.ts'
import {
  addPasskey,
  optionsForNewPasskey,
  removePasskey,
  renamePasskey
} from '../../../src/domain/accounts/passkeys.ts'
import { listPasskeys } from '../../../src/domain/factors/passkeys.ts'
import { requirePasskeys } from '../../../src/domain/sign-in/passkey-sign-in.ts'
import {
  NewPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyPage,
  PasskeyPatch
} from '../../../src/schemas/passkeys.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const params = closed({ id: Id('Passkey id') })
const noPasskey = problem('The user has no passkey with this id', 'passkey-not-found')

export default (async (app) => {
  if (rpIdOf(app.config) === undefined) return

  app.get('/passkeys', {
    config: { access: 'session', tag: 'user', order: 150 },
    schema: {
      operationId: 'listPasskeys',
      summary: "List the current user's passkeys",
      description: 'Returns all passkeys of the signed-in user, oldest first, on one page.',
      response: { 200: ref(PasskeyPage, 'All passkeys') }
    },
    handler: async (request) => ({
      items: await listPasskeys(app.db, request.self.id),
      nextCursor: null
    })
  })

  app.post('/passkeys/options', {
    config: { access: 'session', tag: 'user', order: 140 },
    schema: {
      operationId: 'getPasskeyCreationOptions',
      summary: 'Begin to add a passkey',
      description:
        'Returns the options for `navigator.credentials.create`. Requires a recent ' +
        'authentication and, where mail is sent, a confirmed e-mail address.',
      response: {
        200: ref(PasskeyCreationOptions, 'The options'),
        403: problem(
          'There is no recent authentication, or the e-mail address is not confirmed',
          'reauthentication-required',
          'email-unverified'
        ),
        409: problem('The user has the maximum number of passkeys', 'too-many-passkeys')
      }
    },
    handler: async (request) => optionsForNewPasskey(requirePasskeys(app.context), request.self)
  })

  app.post('/passkeys', {
    config: { access: 'session', tag: 'user' },
    schema: {
      operationId: 'addPasskey',
      summary: 'Add a passkey',
      description:
        'Stores the passkey that the browser has created. The assurance of the session becomes ' +
        '2, and it gets a new cookie: the previous one is no longer valid. If the passkey is the ' +
        'first second factor of the user, every other session ends, and links to change the ' +
        'address that were sent before no longer work. Without a name, the passkey is named ' +
        'after its model or the browser. Requires a recent authentication; where mail is sent, a ' +
        'confirmed e-mail address; and for the first second factor of a user whose roles require ' +
        'one also a token. After 403 the same request can be repeated within five minutes.',
      body: ref(NewPasskey),
      response: {
        201: ref(Passkey, 'The new passkey; Set-Cookie carries the new session cookie', {
          ...headers.location,
          ...headers.setCookie
        }),
        400: problem(
          'A field, the passkey or the token is not valid',
          'invalid-passkey',
          'invalid-token'
        ),
        403: problem(
          'There is no recent authentication, the e-mail address is not confirmed or its domain ' +
            'requires a provider, or an enrolment token is required',
          'reauthentication-required',
          'email-unverified',
          'enrolment-token-required',
          'provider-required'
        ),
        409: problem(
          'The passkey already belongs to an account, or the user has the maximum number of ' +
            'passkeys',
          'passkey-exists',
          'too-many-passkeys'
        )
      }
    },
    handler: async (request, reply) => {
      const context = requirePasskeys(app.context)
      const { passkey, session, secret } = await addPasskey(context, request.self, request.body)
      reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
      reply.header('location', `/api/user/passkeys/${passkey.id}`)
      return passkey
    }
  })

  app.patch('/passkeys/:id', {
    config: { access: 'session', tag: 'user', order: 160 },
    schema: {
      operationId: 'renamePasskey',
      summary: 'Rename a passkey',
      description: 'Changes the name under which a passkey of the signed-in user is listed.',
      params,
      body: ref(PasskeyPatch),
      response: { 200: ref(Passkey, 'The renamed passkey'), 404: noPasskey }
    },
    handler: async (request) =>
      renamePasskey(requirePasskeys(app.context), request.self, {
        ...request.params,
        ...request.body
      })
  })

  app.delete('/passkeys/:id', {
    config: { access: 'session', protects: true, tag: 'user' },
    schema: {
      operationId: 'removePasskey',
      summary: 'Remove a passkey',
      description:
        'Removes a passkey of the signed-in user and ends all other sessions. With the last ' +
        'second factor, the assurance of the session becomes 1. Requires a recent authentication.',
      params,
      response: {
        204: NoContent('The passkey was removed'),
        403: problem('There is no recent authentication', 'reauthentication-required'),
        404: noPasskey,
        409: problem(
          'It is the last second factor, and one is required; or the only way to sign in',
          'last-second-factor',
          'last-sign-in-method'
        )
      }
    },
    handler: async (request) =>
      removePasskey(requirePasskeys(app.context), request.self, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
