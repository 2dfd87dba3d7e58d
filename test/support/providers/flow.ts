import type { FastifyInstance } from 'fastify'
import { walk } from './walk.ts'
import type { Callback } from './walk.ts'

type Response = Awaited<ReturnType<FastifyInstance['inject']>>

/** The cookies of a browser, by name. */
export type Jar = Map<string, string>

export const cookieHeader = (jar: Jar) => [...jar].map((pair) => pair.join('=')).join('; ')

/** Keeps what a response sets, as a browser does. */
function keepCookies(jar: Jar, { headers }: Response) {
  for (const cookie of [headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/; max-age=0/i.test(cookie)) jar.delete(name)
    else jar.set(name, value)
  }
}

interface Start {
  /** Key of the provider. */
  key: string
  intent?: 'sign-in' | 'link' | 'reauthenticate' | 'confirm'
  returnTo?: string
  errorTo?: string
  email?: string
  token?: string
  restore?: boolean
  ip?: string
}

/** Begins a way through a provider, as an app does. `url` is missing when it is refused. */
export async function begin(
  app: FastifyInstance,
  jar: Jar,
  { key, intent = 'sign-in', ip = '127.0.0.1', ...body }: Start
) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/auth/providers/${key}`,
    remoteAddress: ip,
    headers: { cookie: cookieHeader(jar) },
    payload: { intent, ...body }
  })
  keepCookies(jar, response)
  const url = response.statusCode === 200 ? (response.json() as { url: string }).url : undefined
  return { response, url }
}

/** Brings a callback to the portal as a browser does: first without cookies, then with them. */
export async function comeBack(
  app: FastifyInstance,
  jar: Jar,
  { method, url, params }: Callback,
  ip = '127.0.0.1'
) {
  const { pathname } = new URL(url)
  const page = await app.inject({
    method,
    url: method === 'GET' ? `${pathname}?${params}` : pathname,
    remoteAddress: ip,
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ...(method === 'POST' && {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'null',
        'sec-fetch-site': 'cross-site'
      },
      payload: params.toString()
    })
  })
  const [, next] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.body) ?? []
  if (next === undefined) throw new Error(`the callback leads nowhere: ${page.body}`)
  const response = await app.inject({
    method: 'GET',
    url: next.replaceAll('&amp;', '&'),
    remoteAddress: ip,
    headers: { cookie: cookieHeader(jar), 'sec-fetch-site': 'same-origin' }
  })
  keepCookies(jar, response)
  const location = response.headers.location
  const target = location === undefined ? undefined : new URL(location, 'http://localhost:3000')
  return {
    response,
    location,
    /** The code with which the browser is led back, such as `account-exists`. */
    problem: target?.searchParams.get('problem') ?? undefined
  }
}

/**
 * The whole way of somebody through a provider. Throws when it cannot begin.
 * @param person whom to choose at an example provider; none cancels
 */
export async function goThrough(
  app: FastifyInstance,
  jar: Jar,
  { person, ...start }: Start & { person?: string }
) {
  const { response, url } = await begin(app, jar, start)
  if (url === undefined) throw new Error(`not begun: ${response.body}`)
  return comeBack(app, jar, await walk(url, person), start.ip)
}
