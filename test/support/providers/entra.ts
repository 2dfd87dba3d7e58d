import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { newKey } from '../../../src/dev-provider/provider.ts'
import { createCodes } from './codes.ts'
import { json, serve } from './loopback.ts'
import { publicPart, signToken } from './tokens.ts'

const isOne = (tenant: string) => !['common', 'organizations', 'consumers'].includes(tenant)

/**
 * A stand-in for Microsoft Entra. Its discovery for several tenants names a template as the issuer,
 * its tokens have no `email_verified`, and it leaves out the groups of somebody who has many.
 */
export async function startEntra(t: Pick<Test, 'teardown'>, tenant = 'common') {
  const codes = createCodes()
  const key = await newKey()
  const state = {
    client: { id: randomUUID(), secret: randomUUID() },
    origin: '',
    /** The `issuer` of a portal that allows this tenant. */
    issuer: '',
    /** The tenant of the user, who is in `claims`. */
    tid: isOne(tenant) ? tenant : (randomUUID() as string),
    claims: {
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      name: 'Nora Field',
      email: 'nora.field@example.com',
      xms_edov: true
    } as Record<string, unknown>
  }
  const origin = await serve(t, async (received) => {
    const { url, form } = received
    const [, audience = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    const issuerOf = (tid: string) => `${state.origin}/${tid}/v2.0`
    if (rest === '/v2.0/.well-known/openid-configuration') {
      return json({
        issuer: issuerOf(isOne(audience) ? audience : '{tenantid}'),
        authorization_endpoint: `${state.origin}/${audience}/oauth2/v2.0/authorize`,
        token_endpoint: `${state.origin}/${audience}/oauth2/v2.0/token`,
        jwks_uri: `${state.origin}/${audience}/discovery/v2.0/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['pairwise'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        id_token_signing_alg_values_supported: ['ES256']
      })
    }
    if (rest === '/discovery/v2.0/keys') return json({ keys: [publicPart(key)] })
    if (rest === '/oauth2/v2.0/authorize') return codes.authorize(received)
    if (rest !== '/oauth2/v2.0/token') return json({ error: 'not_found' }, 404)
    const query = codes.redeem(form)
    if (!query) return json({ error: 'invalid_grant', error_description: 'AADSTS70008' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const nonce = query.get('nonce')
    const claims = {
      iss: issuerOf(state.tid),
      aud: state.client.id,
      iat: now,
      nbf: now,
      exp: now + 3600,
      ...(nonce !== null && { nonce }),
      tid: state.tid,
      ver: '2.0',
      ...state.claims
    }
    const header = { alg: 'ES256', typ: 'JWT', kid: key.kid }
    const idToken = await signToken({ header, claims }, key)
    return json({ token_type: 'Bearer', expires_in: 3600, access_token: 'x', id_token: idToken })
  })
  state.origin = origin
  state.issuer = `${origin}/${tenant}/v2.0`
  return state
}
