import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.PORTAL_WEBHOOK_SECRET ?? '')

/** Users by id. Your system has a table for them. */
const users = new Map()

/** Events come more than once and in any order, so what is not newer is dropped. */
function apply({ type, data }) {
  if (type === 'user.delete') users.set(data.targetId, { version: Infinity })
  const { user } = data
  if (user && user.version > (users.get(user.id)?.version ?? 0)) users.set(user.id, user)
}

async function receive(request) {
  const body = await text(request)
  let event
  try {
    event = webhook.verify(body, request.headers)
  } catch {
    return 401
  }
  apply(event)
  return 204
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    response.writeHead(await receive(request)).end()
  } else {
    const known = [...users.values()].filter(({ id }) => id !== undefined)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(known))
  }
})

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`receiving on http://127.0.0.1:${server.address().port}`)
})
