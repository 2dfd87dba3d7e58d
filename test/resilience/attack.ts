import { connect } from 'node:net'
import { setPriority } from 'node:os'

/**
 * A separate process, so that its cost does not affect the measured responses of others:
 * `attack.js PORT CONNECTIONS KIND` signs in with wrong passwords from one address over connections
 * that are kept alive, each 50 ms after its last response, until it is killed.
 * Prints the number of responses by status once a second.
 */
const [port, connections, kind] = process.argv.slice(2) as [string, string, Kind]
type Kind = 'one account' | 'many accounts' | 'made-up devices'

const pause = 50
const tally: Record<string, number> = {}
const account = '00000000-0000-7000-8000-000000000000'
const device = `__Host-portal_device=${account}.1.${'A'.repeat(22)}.${'B'.repeat(43)}`

setPriority(19) // attackers have their own processors
for (let i = 0; i < Number(connections); i++) attack(i)
setInterval(() => process.stdout.write(JSON.stringify(tally) + '\n'), 1000)

function attack(i: number) {
  const email = `${kind === 'one account' ? 'nobody' : `nobody${i}`}@example.com`
  const body = JSON.stringify({ email, password: 'not this one' })
  const request = [
    'POST /api/auth/login HTTP/1.1',
    'Host: localhost',
    'X-Forwarded-For: 203.0.113.7',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...(kind === 'made-up devices' ? [`Cookie: ${device}`] : []),
    '',
    body
  ].join('\r\n')
  let received = ''
  let over = false
  const count = (status: string) => {
    tally[status] = (tally[status] ?? 0) + 1
  }
  const again = () => {
    if (over) return
    over = true
    setTimeout(attack, pause, i)
  }
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request))
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
    const end = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (end === -1 || received.length < end + 4 + length) return
    count(received.slice(9, 12))
    received = ''
    setTimeout(() => {
      if (!over) socket.write(request)
    }, pause)
  })
  socket.on('error', () => count('error')).on('close', again)
}
