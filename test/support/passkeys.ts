import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { answer, createPasskey } from './authenticator.ts'
import type { CreationOptions, Knobs, RequestOptions, SoftPasskey } from './authenticator.ts'
import { cookieOf } from './app.ts'
import type { aCaller } from './app.ts'

type Caller = Pick<Awaited<ReturnType<typeof aCaller>>, 'cookie' | 'call'>

/** The options for a new passkey. */
export const creationOptions = async ({ call, cookie }: Caller): Promise<CreationOptions> =>
  (await call('POST', '/api/user/passkeys/options', undefined, { cookie })).json()

/** The response to adding a passkey, and the passkey. */
export const tryToAdd = async (
  caller: Caller,
  knobs: Parameters<typeof createPasskey>[1] = {},
  more: object = {}
) => addWith(await creationOptions(caller), caller, knobs, more)

/** Adds a passkey with options that were given before. */
export async function addWith(
  options: CreationOptions,
  caller: Caller,
  knobs: Parameters<typeof createPasskey>[1] = {},
  more: object = {}
) {
  const made = createPasskey(options, knobs)
  const body = { credential: made.credential, ...more }
  const { cookie } = caller
  return { ...made, response: await caller.call('POST', '/api/user/passkeys', body, { cookie }) }
}

/** Adds a passkey. Returns it with its id, and the caller with the new cookie. */
export async function withPasskey<T extends Caller>(
  t: Test,
  caller: T,
  knobs: Parameters<typeof createPasskey>[1] = {},
  more: object = {}
) {
  const { response, passkey } = await tryToAdd(caller, knobs, more)
  t.equal(response.statusCode, 201, response.body)
  const cookie = cookieOf(response)
  const call: Caller['call'] = (method, url, payload, headers = {}) =>
    caller.call(method, url, payload, { cookie, ...headers })
  return { ...caller, cookie, call, passkey, id: response.json().id as string }
}

export const signInOptions = async (app: FastifyInstance): Promise<RequestOptions> =>
  (await app.inject({ method: 'POST', url: '/api/auth/passkey/options' })).json()

export const send = (app: FastifyInstance, credential: object, headers = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/passkey', headers, payload: { credential } })

/** The response to a sign-in with a passkey. */
export const passkeySignIn = async (
  app: FastifyInstance,
  passkey: SoftPasskey,
  knobs: Knobs = {},
  headers = {}
) => send(app, answer(passkey, await signInOptions(app), knobs), headers)

/** The response to a proof of a passkey in a session. */
export async function provePasskey({ call }: Caller, passkey: SoftPasskey, knobs: Knobs = {}) {
  const options = await call('POST', '/api/auth/reauthenticate/options')
  const credential = answer(passkey, options.json(), knobs)
  return call('POST', '/api/auth/reauthenticate', { credential })
}
