// Runs the JavaScript of a document: node .ci/browser.mjs FILE ORIGIN. Its `fetch` is that of a
// page which ORIGIN serves: addresses are relative, cookies are kept, and requests name their
// origin.
const [file, origin] = process.argv.slice(2)
const cookies = new Map()
const send = globalThis.fetch

globalThis.window = { location: { origin } }
globalThis.fetch = async (target, options = {}) => {
  const address = new URL(target instanceof Request ? target.url : target, origin)
  const request = new Request(target instanceof Request ? target : address, options)
  if (address.origin === origin) {
    // A server that passes on where a request came from has named it already.
    if (!request.headers.has('sec-fetch-site')) {
      request.headers.set('origin', origin)
      request.headers.set('sec-fetch-site', 'same-origin')
    }
    const kept = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (kept && !request.headers.has('cookie')) request.headers.set('cookie', kept)
  }
  const response = await send(request)
  for (const cookie of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/; Max-Age=0/i.test(cookie)) cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

await import(file)
process.exit() // pollers would keep the process alive
