import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

type Closing = Pick<Test, 'teardown'>

/** Listens on loopback until the test ends. Returns the origin. */
export async function listen(t: Closing, answer: RequestListener, port = 0): Promise<string> {
  const server = createServer(answer)
  server.keepAliveTimeout = 60_000 // on a busy machine, a client would use a closed connection
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A request to a stand-in for a provider. */
export interface Received {
  method: string
  url: URL
  headers: Headers
  /** Empty without a form. */
  form: URLSearchParams
}

/** Listens with a function from a request to its response. */
export const serve = (t: Closing, answer: (received: Received) => Promise<Response> | Response) =>
  listen(t, async (request, response) => {
    try {
      await respond(response, await answer(await receive(request)))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })

async function receive(request: IncomingMessage): Promise<Received> {
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '', `http://${request.headers.host}`),
    headers: new Headers(Object.entries(request.headers).map(([k, v]) => [k, String(v)])),
    form: new URLSearchParams((await buffer(request)).toString())
  }
}

async function respond(response: ServerResponse, result: Response) {
  response.writeHead(result.status, Object.fromEntries(result.headers))
  response.end(Buffer.from(await result.arrayBuffer()))
}

export const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }
  })
