import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../test/support/root.ts'
import type { requestOf } from './load.ts'
import { progress } from './stage.ts'

export const me = '/api/auth/me'
export const person = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  name: 'Ada Lovelace'
}

/** A server beside which the session check of the portal is measured. */
interface Peer {
  name: string
  /** Whose version is printed. */
  package: string
  /** The versions of Node that it supports, if its manifest does not say so. */
  node?: string
  /** One of `servers/`. */
  file: string
  settings?: object
  /** Where the person signs in. By default the cookie of the portal is sent. */
  login?: string
  ask?: (cookie: string) => Parameters<typeof requestOf>[0]
  /** Sends the response to everybody. */
  open?: boolean
  /** The least that is required of the portal's rate, to that of this one. */
  least?: number
}

/**
 * @param token what is needed to check the portal's cookie and to send its response
 * @param database of the portal
 */
export const peersOf = (token: object, database: string): Peer[] => [
  {
    name: 'same bytes, same headers',
    package: 'fastify',
    file: 'bare.mjs',
    settings: token,
    open: true
  },
  {
    name: 'a bare route',
    package: 'fastify',
    file: 'bare.mjs',
    settings: { ...token, headers: {} },
    open: true
  },
  {
    name: 'a stateless token',
    package: '@fastify/jwt',
    file: 'token.mjs',
    settings: { ...token, cache: false },
    least: 1.3
  },
  {
    name: 'a stateless token, cached',
    package: '@fastify/jwt',
    file: 'token.mjs',
    settings: { ...token, cache: true }
  },
  // The newest one needs a newer Node than the portal does.
  ...['iron-session', 'iron-session-8'].map((name) => ({
    name,
    package: name,
    file: 'iron-session.mjs',
    settings: { ...token, package: name },
    login: '/login'
  })),
  {
    name: 'a query per request',
    package: 'postgres',
    file: 'query.mjs',
    settings: { ...token, database },
    least: 4
  },
  { ...betterAuth, name: 'better-auth', least: 20 },
  {
    ...betterAuth,
    name: 'better-auth, joins',
    settings: { settings: { experimental: { joins: true } } }
  },
  {
    ...betterAuth,
    name: 'better-auth, cookie cache',
    // Longer than the usual five minutes, because the clients keep their first cookie. A browser
    // takes the new one, so that few of its requests find an old one.
    settings: { settings: { session: { cookieCache: { enabled: true, maxAge: 86_400 } } } }
  },
  {
    name: 'Express sessions',
    package: 'express-session',
    file: 'express.mjs',
    login: '/login',
    ask: (cookie) => ({ path: '/me', cookie }),
    least: 12
  },
  ...[
    { name: 'oidc-provider', node: '>=22' },
    { name: 'oidc-provider-8', node: '>=18' }
  ].map((each) => ({
    ...each,
    package: each.name,
    file: 'oidc-provider.mjs',
    settings: { client, package: each.name },
    login: '/login',
    ask: (token: string) => ({
      method: 'POST',
      path: '/token/introspection',
      headers: { authorization: `Basic ${btoa(Object.values(client).join(':'))}` },
      form: `${token}&token_type_hint=access_token`
    })
  }))
]

const client = { client_id: 'api', client_secret: 'of-this-benchmark-alone' }

const betterAuth = {
  package: 'better-auth',
  file: 'better-auth.mjs',
  login: '/api/auth/sign-in/email',
  ask: (cookie: string) => ({ path: '/api/auth/get-session', cookie })
}

/** Leaves out the peers that need another Node, and names them. Adds the versions of the others. */
export function onThisNode<T extends Pick<Peer, 'name' | 'package' | 'node'>>(all: readonly T[]) {
  const skipped: string[] = []
  const peers = all.flatMap((peer) => {
    const folder = path.join(import.meta.dirname, 'node_modules', peer.package)
    const { version, engines } = manifestOf(folder)
    const node = peer.node ?? engines?.node
    if (runsOn(process.versions.node, node)) return [{ ...peer, version }]
    skipped.push(`${peer.name} ${version}, which needs Node ${node}`)
    return []
  })
  for (const each of skipped) progress(`skips ${each}`)
  return { peers, skipped }
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string
    engines?: { node?: string }
  }

export const portalVersion = manifestOf(root).version

/** Whether a range such as `^20.19.0 || >=22.12` includes a version of Node. */
export const runsOn = (node: string, range = '*') =>
  range.split('||').some((part) => {
    const least = /\d[\d.]*/.exec(part)?.[0] ?? '0'
    return (
      least.localeCompare(node, 'en', { numeric: true }) <= 0 &&
      (/[>*]/.test(part) || Number.parseInt(least) === Number.parseInt(node))
    )
  })
