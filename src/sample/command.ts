import { UsageError } from '../commands/errors.ts'
import { withPortal } from '../commands/portal.ts'
import type { Portal } from '../commands/portal.ts'
import { loadConfig } from '../config/config.ts'
import type { Variables } from '../config/given.ts'
import { createSealing } from '../domain/sealing.ts'
import { fillSample, removeSample } from './fill.ts'

/** Fills the development database with made-up data, or takes it back. Returns what to print. */
export const runSample = async (isOff: boolean, env?: Variables): Promise<string> => {
  const config = loadConfig(env)
  if (!config.development) {
    throw new UsageError('Sample data is for development only. Nothing was changed.')
  }
  return withPortal(
    (portal) => changeSample(portal, isOff),
    () => config
  )
}

async function changeSample({ config, database, db, sessionRules }: Portal, isOff: boolean) {
  if (!database.local) {
    throw new UsageError('Sample data is for a database on this machine only. Nothing was changed.')
  }
  if (isOff) {
    return (await removeSample(db)) ? 'The sample data was removed.' : 'There is no sample data.'
  }
  const sealing = createSealing(config.SECRET_KEYS)
  const people = await fillSample({ db, sealing, sessionRules })
  return people === undefined
    ? 'The sample data exists already.'
    : `The database has ${people} made-up people now, with roles, flags, activity and mail.`
}
