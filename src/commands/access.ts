import { uuidForm } from '../../db/schema/columns.ts'
import { bucketsOf } from '../config/budget-variables.ts'
import { loadKeyedConfig } from '../config/config.ts'
import { grantRole, revokeRole } from '../domain/access/memberships.ts'
import { findRole } from '../domain/access/roles.ts'
import { verifyEmail } from '../domain/administration/users.ts'
import {
  removeUserPasskey,
  removeUserTotp,
  resetSecondFactor
} from '../domain/administration/factor-removal.ts'
import { resetLimits } from '../domain/administration/obstacles.ts'
import { setPassword } from '../domain/administration/operator-links.ts'
import { listFactors } from '../domain/factors/list.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { command } from './command.ts'
import { UsageError } from './errors.ts'
import { linkCommands } from './links.ts'
import { printJson, say, tablePrinter } from './output.ts'
import { checkPassword, withPortal } from './portal.ts'
import { userProviderCommands } from './providers.ts'
import { readPassword } from './terminal.ts'
import { changesUser, ofUser, passwordOption, sayMemberFactors, showUser } from './user-argument.ts'

interface ShownFactor {
  factor: string
  name?: string
  createdAt: Date
  lastUsedAt: Date | null
  id: string
}

function membership(what: string, change: typeof grantRole, sayMore?: typeof sayMemberFactors) {
  return command({
    what,
    args: { role: 'key of the role' },
    examples: ['ada@example.com support'],
    run: ofUser(async ({ db, actor }, userId, { json }, role) => {
      await change(db, actor, { userId, role })
      say('Done.')
      if (sayMore && (await findRole(db, role)).requiresSecondFactor) {
        await sayMore(db, { role, userId })
      }
      if (json) await showUser(await findUser(db, userId), json)
    })
  })
}

/** The commands of `portal user` that decide how a user signs in and what they may do. */
export const accessCommands = {
  'set-password <user>': command({
    what: 'set a password and end all sessions of the user',
    options: [passwordOption],
    examples: [
      'ada@example.com',
      'pwgen 20 1 | portal user set-password ada@example.com --password-file -'
    ],
    async run({ passwordFile, json }, who) {
      const check = (typed: string) => checkPassword(typed, { email: who, name: '' })
      const password = await readPassword(passwordFile, check)
      await withPortal(async (portal) => {
        const userId = await findUserId(portal.db, who)
        await setPassword(portal, portal.actor, { userId, password })
        say('The password was set, and all sessions of the user have ended.')
        if (json) await showUser(await findUser(portal.db, userId), json)
      })
    }
  }),
  ...linkCommands,
  'verify-email <user>': command({
    what: 'mark the e-mail address of a user as confirmed',
    examples: ['ada@example.com'],
    run: changesUser(async ({ db, actor }, userId) => {
      await verifyEmail(db, actor, { userId })
      return 'The e-mail address counts as confirmed.'
    })
  }),
  'unthrottle <user>': command({
    what: 'reset the rate limits of an account; needs the SECRET_KEYS of the server',
    examples: ['ada@example.com'],
    run: changesUser(async ({ db, actor, config }, userId) => {
      const deleted = await resetLimits({ db, buckets: bucketsOf(config) }, actor, { userId })
      return deleted > 0
        ? 'The rate limits of the account were reset. Limits per client address still apply.'
        : 'No attempts were counted for the account with the first of these SECRET_KEYS. Check ' +
            'that they match the keys of the server. Limits per client address still apply.'
    }, loadKeyedConfig)
  }),
  'factors <user>': command({
    what: "list a user's second factors, and when each was used last",
    examples: ['ada@example.com'],
    run: ofUser(async ({ db }, userId, { json }) => {
      const found = await listFactors(db, { userId })
      if (json) return printJson(found)
      const { totp, passkeys, recoveryCodes } = found
      const table = tablePrinter<ShownFactor>(['factor', 'name', 'createdAt', 'lastUsedAt', 'id'])
      if (totp) await table.add([{ factor: 'authenticator app', ...totp, id: 'totp' }])
      await table.add(passkeys.map((passkey) => ({ factor: 'passkey', ...passkey })))
      await table.end()
      if (recoveryCodes) say(`recovery codes left: ${recoveryCodes.left}`)
    })
  }),
  'remove-factor <user> <factor>': command({
    what:
      'remove one second factor of a user and end all of their sessions; needs the ' +
      'SECRET_KEYS of the server',
    args: { factor: 'totp for the authenticator app, or the id of a passkey' },
    examples: ['ada@example.com totp'],
    async run(given, who, factor) {
      if (factor !== 'totp' && !uuidForm.test(factor)) {
        throw new UsageError('Specify totp or the id of a passkey: portal user factors lists them.')
      }
      await changesUser(async ({ db, mail, actor, config }, userId) => {
        const context = { db, mail, buckets: bucketsOf(config) }
        if (factor === 'totp') await removeUserTotp(context, actor, { userId })
        else await removeUserPasskey(context, actor, { userId, passkeyId: factor })
        return 'Removed.'
      }, loadKeyedConfig)(given, who)
    }
  }),
  'reset-second-factor <user>': command({
    what:
      'remove all second factors of a user and end all of their sessions; needs the ' +
      'SECRET_KEYS of the server',
    examples: ['ada@example.com'],
    run: changesUser(async ({ db, mail, actor, config }, userId) => {
      await resetSecondFactor({ db, mail, buckets: bucketsOf(config) }, actor, { userId })
      return 'The user has no second factor, and signs in with the password alone.'
    }, loadKeyedConfig)
  }),
  ...userProviderCommands,
  'grant <user> <role>': membership('grant a role to a user', grantRole, sayMemberFactors),
  'revoke <user> <role>': membership('revoke a role from a user', revokeRole)
}
