import type { Command } from 'commander'
import { uuidForm } from '../../db/schema/columns.ts'
import { budgetsOf } from '../config/budgets.ts'
import { loadKeyedConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { signingKey, subKey } from '../config/keys.ts'
import { removeUserPasskey, removeUserTotp } from '../domain/administration/factor-removal.ts'
import { resetSecondFactor } from '../domain/administration/second-factor-reset.ts'
import { listFactors } from '../domain/factors/list.ts'
import { createBuckets } from '../domain/throttling/buckets.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { UsageError } from './errors.ts'
import { onUser, showUser, whoHelp } from './one-user.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, say, tablePrinter } from './output.ts'
import { withPortal } from './portal.ts'

export function addFactorCommands(user: Command) {
  addFactors(user)
  addRemoveFactor(user)
  addResetSecondFactor(user)
}

function addFactors(user: Command) {
  const list = asData(
    user
      .command('factors')
      .description("list a user's second factors, and when each was used last")
      .argument('<user>', whoHelp)
  )
  example(list, 'portal user factors ada@example.com')
  list.action((who: string, { json }: Json) =>
    onUser(who, async ({ db }, userId) => {
      const found = await listFactors(db, { userId })
      if (json) return printJson(found)
      const { totp, passkeys, recoveryCodes } = found
      const table = tablePrinter<Shown>(['factor', 'name', 'createdAt', 'lastUsedAt', 'id'])
      if (totp) await table.add([{ factor: 'authenticator app', ...totp, id: 'totp' }])
      await table.add(passkeys.map((passkey) => ({ factor: 'passkey', ...passkey })))
      await table.end()
      if (recoveryCodes) say(`recovery codes left: ${recoveryCodes.left}`)
    })
  )
}

interface Shown extends Record<string, unknown> {
  factor: string
  name?: string
  createdAt: Date
  lastUsedAt: Date | null
  id: string
}

function addRemoveFactor(user: Command) {
  const remove = asData(
    user
      .command('remove-factor')
      .description(
        'remove one second factor of a user and end all of their sessions; needs the ' +
          'SECRET_KEYS of the server'
      )
      .argument('<user>', whoHelp)
      .argument('<factor>', 'totp for the authenticator app, or the id of a passkey')
  )
  example(remove, 'portal user remove-factor ada@example.com totp')
  remove.action((who: string, factor: string, { json }: Json) => {
    if (factor !== 'totp' && !uuidForm.test(factor)) {
      throw new UsageError('Specify totp or the id of a passkey: portal user factors lists them.')
    }
    return withPortal(async ({ db, mail, actor, config }) => {
      const userId = await findUserId(db, who)
      const services = { db, mail, buckets: bucketsOf(config) }
      if (factor === 'totp') await removeUserTotp(services, actor, { userId })
      else await removeUserPasskey(services, actor, { userId, passkeyId: factor })
      say('Removed.')
      if (json) await showUser(await findUser(db, userId), json)
    }, loadKeyedConfig)
  })
}

function addResetSecondFactor(user: Command) {
  const reset = asData(
    user
      .command('reset-second-factor')
      .description(
        'remove all second factors of a user and end all of their sessions; needs the ' +
          'SECRET_KEYS of the server'
      )
      .argument('<user>', whoHelp)
  )
  example(reset, 'portal user reset-second-factor ada@example.com')
  reset.action((who: string, { json }: Json) =>
    withPortal(async ({ db, mail, actor, config }) => {
      const userId = await findUserId(db, who)
      await resetSecondFactor({ db, mail, buckets: bucketsOf(config) }, actor, { userId })
      say('The user has no second factor, and signs in with the password alone.')
      if (json) await showUser(await findUser(db, userId), json)
    }, loadKeyedConfig)
  )
}

export const bucketsOf = (config: Config) =>
  createBuckets(subKey(signingKey(config.SECRET_KEYS), 'throttle'), budgetsOf(config))
