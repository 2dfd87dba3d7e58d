/** A request that a browser would send to the callback of the client. */
export interface Callback {
  method: 'GET' | 'POST'
  /** Without the parameters of a form. */
  url: string
  params: URLSearchParams
}

/**
 * Walks through the sign-in at a provider, as a browser would.
 * @param url the authorization endpoint with its parameters
 * @param person whom to choose on the page of an example provider; none cancels
 * @param jar the cookies of the provider, if the browser has been there before
 * @returns the first request that leaves the provider
 */
export async function walk(
  url: string,
  person?: string,
  jar = new Map<string, string>()
): Promise<Callback> {
  const { origin } = new URL(url)
  let at = url
  let form: string | undefined
  for (let hops = 0; hops < 10; hops++) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams({ person: form }) })
    })
    form = undefined
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    const html = await response.text()
    if (location !== null) {
      at = new URL(location, at).href
      if (isCallback(at, origin)) return callbackOf('GET', at)
    } else if (html.includes('name="person"')) {
      form = person ?? ''
    } else {
      return formPost(html, response.status)
    }
  }
  throw new Error(`the walk does not end: ${at}`)
}

const isCallback = (url: string, origin: string) =>
  new URL(url).origin !== origin || /\/callback\?/.test(url)

function callbackOf(method: Callback['method'], address: string): Callback {
  const url = new URL(address)
  return { method, url: `${url.origin}${url.pathname}`, params: url.searchParams }
}

/** The form that a page posts by itself (OAuth 2.0 Form Post Response Mode). */
function formPost(html: string, status: number): Callback {
  const [, action] = /action="([^"]+)"/.exec(html) ?? []
  if (action === undefined) throw new Error(`no form, but ${status}: ${html.slice(0, 500)}`)
  const inputs = [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  const params = new URLSearchParams(inputs.map(([, name = '', value = '']) => [name, text(value)]))
  return { method: 'POST', url: action, params }
}

const text = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
