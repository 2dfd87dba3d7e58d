import type { Db } from '../../db/engine.ts'
import type { Config } from '../config/config.ts'
import { findInstances } from '../connected-servers.ts'
import type { Instance } from '../connected-servers.ts'
import { createFetch, OutboundError } from '../outbound/fetch.ts'
import { version } from '../version.ts'
import { ok, problem, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** Also over http, but to loopback only. */
const ask = createFetch({ development: true })

/** Whether servers run, in which version, and whether those on this machine take traffic. */
export async function instancesFinding(db: Db, config: Config | undefined): Promise<Outcome> {
  const instances = await findInstances(db)
  if (instances.length === 0) {
    return warning(
      'none is connected to this database',
      "If there should be one, see systemctl status 'portal@*' and the end of its log."
    )
  }
  const versions = [...new Set(instances.map((each) => each.version))]
  const finding = `${instances.length} connected, version ${versions.join(', ')}`
  const here = instances.filter(({ isHere }) => isHere)
  const unready = await Promise.all(here.map((each) => unreadyReason(each, config)))
  const reasons = unready.filter((reason) => reason !== undefined)
  if (reasons.length > 0) {
    return problem(`${finding}; ${reasons.join(', ')}`, 'The end of its log says why.')
  }
  if (versions.some((each) => each !== version)) {
    return warning(
      `${finding}, and this command is of version ${version}`,
      'Restart the instances of another version, one after the other.'
    )
  }
  return ok(here.length === 0 ? finding : `${finding}; ready on this machine: ${here.length}`)
}

/** Undefined as well if it listens on another address than those of this machine alone. */
async function unreadyReason({ port }: Instance, config: Config | undefined) {
  const { HOST = '127.0.0.1' } = config ?? {}
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  try {
    await ask(`http://${host === '::1' ? '[::1]' : host}:${port}/health`)
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === 'insecure') return undefined
    return error.reason.startsWith('status-')
      ? `the one on port ${port} is not ready`
      : `the one on port ${port} does not answer`
  }
}
