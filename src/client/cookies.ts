/** Keeps the cookies between two starts. They are as good as the password, so encrypt them. */
export interface CookieStore {
  load(): Promise<string | null | undefined> | string | null | undefined
  save(text: string): unknown
}

/** Cookies by the origin that has set them, and by name. */
type Jar = Record<string, Record<string, { value: string; ends: number }>>

/**
 * A `fetch` that keeps the cookies of each origin, for programs whose own one does not, such as
 * those of Node. Only for one user at a time. A cookie is sent to all paths of its origin, as those
 * of the portal are meant, and never to the same host without TLS.
 */
export function keepCookies(
  store?: CookieStore,
  transfer: (request: Request) => Promise<Response> = (request) => fetch(request)
) {
  let jar: Promise<Jar> | undefined
  const load = async () => JSON.parse((await store?.load()) || '{}') as Jar
  const forget = (error: unknown) => {
    jar = undefined // the next call asks the store again
    throw error
  }

  return async function fetchWithCookies(request: Request): Promise<Response> {
    const cookies = await (jar ??= load().catch(forget))
    const { origin } = new URL(request.url)
    const own = (cookies[origin] ??= {})
    const valid = Object.entries(own).filter(([, { ends }]) => ends > Date.now())
    const sent = valid.map(([name, { value }]) => `${name}=${value}`).join('; ')
    if (sent) request.headers.set('cookie', sent)
    const response = await transfer(request)
    const lines = response.headers.getSetCookie()
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)].map((part) => part.trim())
      if (at < 1 || !name || value === undefined) continue
      const [, seconds] = /;\s*max-age=(-?\d+)/i.exec(line) ?? []
      const life = seconds === undefined ? sessionLife : Number(seconds) * 1000
      if (life > 0) own[name] = { value, ends: Date.now() + life }
      else delete own[name]
    }
    if (lines.length > 0) await store?.save(JSON.stringify(cookies))
    return response
  }
}

/** Milliseconds for a cookie without a lifetime. Those of the portal have one. */
const sessionLife = 86_400_000
