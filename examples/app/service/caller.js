const { PORTAL_URL, BEHIND_PROXY } = process.env
if (!PORTAL_URL === !BEHIND_PROXY) throw new Error('Set either PORTAL_URL or BEHIND_PROXY.')

/**
 * The caller of a request: `user` is the id of a user, or `service` the key of a service, or `refusal`
 * is the problem to answer. Throws when the portal cannot tell. Not cached: only a fresh response knows that a session has ended.
 */
export const callerOf = BEHIND_PROXY ? fromProxy : askPortal

/** With deploy/nginx.conf the proxy has asked, and replaces these headers in every request. */
async function fromProxy({ headers }) {
  const { 'portal-user': user, 'portal-service': service } = headers
  if (!user && !service) throw new Error('The request did not come through the proxy.')
  return { user, service }
}

async function askPortal({ method, headers }, query) {
  const { cookie = '', authorization, origin, 'sec-fetch-site': site } = headers
  const response = await fetch(`${PORTAL_URL}/api/auth/check${query}`, {
    headers: {
      cookie,
      'x-original-method': method,
      ...(authorization && { authorization }),
      ...(origin && { origin }),
      ...(site && { 'sec-fetch-site': site })
    },
    signal: AbortSignal.timeout(5000)
  })
  if (response.status === 204) {
    const of = (name) => response.headers.get(name) ?? undefined
    return { user: of('portal-user'), service: of('portal-service') }
  }
  if (response.status === 401 || response.status === 403) return { refusal: await response.json() }
  throw new Error(`The portal answered ${response.status}.`)
}
