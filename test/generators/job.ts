/** The input of the main job. test/openapi/generators.document.ts compares its result. */
export interface Job {
  baseUrl: string
  account: { email: string; password: string }
  /** An account that needs a second factor, and a code that is valid now. */
  secure: { email: string; password: string }
  code: () => Promise<string>
}

/** Keeps the cookies of the portal and sends them with each request, as a browser does. */
export function withCookies(baseUrl: string): typeof fetch {
  const jar = new Map<string, string>()
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, baseUrl) : input, init)
    request.headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(request)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
}

/** Registrations that the document does not allow. */
export const badRegistrations = <T extends object>(good: T) => [
  { ...good, password: 'short' },
  { ...good, password: 'x'.repeat(129) },
  { ...good, name: '' },
  { ...good, name: 'a\0b' },
  { ...good, email: 'x' }
]
