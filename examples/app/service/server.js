import { createServer } from 'node:http'
import { callerOf } from './caller.js'

// The app's own service. It keeps no sessions and no users: the portal knows them.
const invoices = [
  { id: 1, to: 'Analytical Engines Ltd', total: '£1,200.00' },
  { id: 2, to: 'Difference & Sons', total: '£340.50' }
]

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  try {
    if (request.method !== 'GET' || request.url !== '/api/invoices') {
      return answer(404, { detail: 'There is no such page.' })
    }
    // With accept=key, the nightly job may ask as well.
    const query = '?permission=invoices:read&accept=key'
    const { user, service, refusal } = await callerOf(request, query)
    if (refusal) return answer(refusal.status, refusal)
    answer(200, { items: invoices, user, service })
  } catch (error) {
    console.error(error)
    answer(503, { detail: 'The service does not know now whose request this is. Try again.' })
  }
})

// On loopback: only the proxy may reach it.
const { SERVICE_PORT = '4001' } = process.env
server.listen(Number(SERVICE_PORT), '127.0.0.1', () => {
  console.log(`invoices: http://127.0.0.1:${SERVICE_PORT}`)
})
