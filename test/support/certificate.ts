import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

const der = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const id = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utcTime = (time: Date) => der(0x17, time.toISOString().replace(/^..|[-:T]|\..*Z/g, '') + 'Z')
const pem = (label: string, content: Buffer) =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

const ecdsaWithSha256 = sequence(id('2a8648ce3d040302'))
const day = 86_400_000

/** A self-signed certificate (RFC 5280) for a host name or an address, valid since yesterday for two days. */
export function certificateFor(host: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(id('550403'), der(0x0c, 'test'))))
  const address = Buffer.from(host.split('.').map(Number))
  const alternative = isIP(host) === 4 ? der(0x87, address) : der(0x82, host)
  const certificate = sequence(
    der(0xa0, der(0x02, '\x02')), // version 3
    der(0x02, '\x01', randomBytes(8)), // serial number
    ecdsaWithSha256,
    name, // issuer
    sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day))),
    name, // subject
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(id('551d11'), der(0x04, sequence(alternative)))))
  )
  const signature = sign('sha256', certificate, privateKey)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: pem('CERTIFICATE', sequence(certificate, ecdsaWithSha256, der(0x03, '\0', signature)))
  }
}
