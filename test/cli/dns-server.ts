import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from 'tap'

/** The records of a name: the hosts of its MX records, and its addresses. */
export interface Zone {
  mx?: string[]
  a?: string[]
  /** 3: there is no such name. 2: the server failed. */
  code?: 2 | 3
}

const types = { a: 1, mx: 15 }

/** A DNS server on loopback (RFC 1035). It does not answer for names that it does not know. */
export async function startDnsServer(t: Test, zones: Record<string, Zone>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels = []
    let at = 12
    for (let length; (length = query[at] ?? 0) > 0; at += length + 1) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
    }
    const zone = zones[labels.join('.').toLowerCase()]
    if (!zone) return
    const type = query.readUInt16BE(at + 1)
    const answers = [
      ...(type === types.mx ? (zone.mx ?? []) : []).map((host) =>
        recordOf(type, Buffer.concat([Buffer.of(0, host === '' ? 0 : 10), nameOf(host)]))
      ),
      ...(type === types.a ? (zone.a ?? []) : []).map((ip) =>
        recordOf(type, Buffer.from(ip.split('.').map(Number)))
      )
    ]
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 + (zone.code ?? 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

/** About the name in the question, to which the first two bytes point. */
function recordOf(type: number, data: Buffer) {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([head, data])
}

const nameOf = (host: string) =>
  Buffer.concat([
    ...host
      .split('.')
      .filter((label) => label !== '')
      .map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0)
  ])
