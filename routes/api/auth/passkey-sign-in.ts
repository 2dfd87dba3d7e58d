import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rpIdOf } from '../../../src/config/passkeys.ts'
import { requestOptions } from '../../../src/domain/factors/passkeys.ts'
import {
  optionsForProof,
  requirePasskeys,
  signInWithPasskey
} from '../../../src/domain/sign-in/passkey-sign-in.ts'
import { answerSignedIn } from '../../../src/http/cookies.ts'
import { PasskeyRequestOptions, PasskeySignIn } from '../../../src/schemas/passkeys.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, refusedSignIn, tooMany } from '../../../src/schemas/problem.ts'
import { SignedIn } from '../../../src/schemas/sessions.ts'

export default (async (app) => {
  if (rpIdOf(app.config) === undefined) return

  app.post('/passkey/options', {
    config: { access: 'public', tag: 'auth', order: 60 },
    schema: {
      operationId: 'getPasskeySignInOptions',
      summary: 'Begin to sign in with a passkey',
      description:
        'Returns the options for `navigator.credentials.get`. They list no passkeys: the user ' +
        'chooses one of those that the device has for this host.',
      response: { 200: ref(PasskeyRequestOptions, 'The options') }
    },
    handler: async () => {
      const { passkeys: rules } = requirePasskeys(app.context)
      return requestOptions(rules, rules.challenges.issue('passkey-login'))
    }
  })

  app.post('/passkey', {
    config: { access: 'public', counts: 'logins', tag: 'auth', order: 70 },
    schema: {
      operationId: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Starts a session and sets its cookie. A passkey counts as two factors, so the session ' +
        'has assurance 2. After `unknown-passkey` the app can tell the browser to delete the ' +
        'passkey from the device. `restore` is as for `login`.',
      body: ref(PasskeySignIn),
      response: {
        200: ref(SignedIn, 'Signed in; Set-Cookie carries the session cookie', headers.setCookie),
        401: problem(
          'The passkey is unknown, or was not accepted',
          'unknown-passkey',
          'passkey-refused'
        ),
        403: refusedSignIn,
        429: tooMany
      }
    },
    handler: async (request, reply) => {
      const login = request.portalCookie('login')
      const signedIn = await signInWithPasskey(requirePasskeys(app.context), request.actor, {
        ...request.body,
        device: request.portalCookie('device'),
        login,
        presented: request.presentedTokens()
      })
      const body = answerSignedIn(app, reply, signedIn)
      if (login !== undefined) reply.clearPortalCookie('login')
      return body
    }
  })

  app.post('/reauthenticate/options', {
    config: { access: 'session', protects: true, tag: 'auth', order: 150 },
    schema: {
      operationId: 'getPasskeyProofOptions',
      summary: 'Begin to authenticate again with a passkey',
      description:
        'Returns the options for `navigator.credentials.get`, with the passkeys of the user. ' +
        'Send the response to `reauthenticate`.',
      response: { 200: ref(PasskeyRequestOptions, 'The options') }
    },
    handler: async (request) => optionsForProof(requirePasskeys(app.context), request.self)
  })
}) satisfies FastifyPluginAsyncTypebox
