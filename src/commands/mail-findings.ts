import type { Config } from '../config/config.ts'
import { parseMailFrom, parseMailUrl } from '../mail/addresses.ts'
import { transportOf } from '../config/mail-services.ts'
import { ok, problem } from './findings.ts'
import type { Finding } from './findings.ts'
import { adviceOn } from './mail-advice.ts'
import { plain } from './output.ts'
import { senderFinding } from './sender-finding.ts'

/** No findings without a mail server: the portal may run without one. */
export async function mailServerFindings(config: Config): Promise<Finding[]> {
  const { MAIL_URL, MAIL_FROM = '' } = config
  if (MAIL_URL === undefined) return []
  const { address } = parseMailFrom(MAIL_FROM)
  return Promise.all([
    serverFinding(config, MAIL_URL),
    senderFinding(address.slice(address.lastIndexOf('@') + 1))
  ])
}

const encryption = {
  'from the start': 'TLS from the start',
  STARTTLS: 'STARTTLS',
  optional: 'on this machine'
}

async function serverFinding(config: Config, url: string): Promise<Finding> {
  const { host, port, tls, login } = parseMailUrl(url)
  const name = `${host}:${port}, ${encryption[tls]}`
  const transport = transportOf(config)
  const failure = await transport?.verify()
  await transport?.close()
  return failure
    ? problem(
        'mail server',
        `${name}: ${failure.error}. ${plain(failure.reason ?? '')}`,
        adviceOn(failure.error)
      )
    : ok('mail server', `${name}, ${login ? 'accepts the login' : 'needs no login'}`)
}
