import type { Command } from 'commander'
import { uuidForm } from '../../db/schema/columns.ts'
import { budgetsOf } from '../config/budget-variables.ts'
import { loadKeyedConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { signingKey, subKey } from '../config/keys.ts'
import { grantRole, revokeRole } from '../domain/access/memberships.ts'
import { findRole } from '../domain/access/roles.ts'
import { verifyEmail } from '../domain/administration/creation.ts'
import {
  removeUserPasskey,
  removeUserTotp,
  resetSecondFactor
} from '../domain/administration/factor-removal.ts'
import { setPassword } from '../domain/administration/operator-links.ts'
import { listFactors } from '../domain/factors/list.ts'
import { createBuckets, resetThrottle } from '../domain/throttling/buckets.ts'
import { requireEmail } from '../domain/users/emails.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { UsageError } from './errors.ts'
import { addLinks } from './links.ts'
import { sayMemberFactors } from './member-factors.ts'
import { withUser, passwordHelp, showUser, whoHelp } from './user-argument.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, say, tablePrinter } from './output.ts'
import { checkPassword, withPortal } from './portal.ts'
import { addUserProviderCommands } from './providers.ts'
import { readPassword } from './terminal.ts'

export function addAccessCommands(user: Command) {
  addSetPassword(user)
  addLinks(user)
  addVerifyEmail(user)
  addUnthrottle(user)
  addFactorCommands(user)
  addUserProviderCommands(user)
  addMembership(user)
}

function addSetPassword(user: Command) {
  type Options = Json & { passwordFile?: string }
  const set = asData(
    user
      .command('set-password')
      .description('set a password and end all sessions of the user')
      .argument('<user>', whoHelp)
  ).option('--password-file <file>', passwordHelp)
  example(
    set,
    'portal user set-password ada@example.com',
    'pwgen 20 1 | portal user set-password ada@example.com --password-file -'
  )
  set.action(async (who: string, { passwordFile, json }: Options) => {
    const check = (typed: string) => checkPassword(typed, { email: who, name: '' })
    const password = await readPassword(passwordFile, check)
    await withUser(who, async (portal, id) => {
      await setPassword(portal, portal.actor, { userId: id, password })
      say('The password was set, and all sessions of the user have ended.')
      if (json) await showUser(await findUser(portal.db, id), json)
    })
  })
}

function addVerifyEmail(user: Command) {
  const verify = asData(
    user
      .command('verify-email')
      .description('mark the e-mail address of a user as confirmed')
      .argument('<user>', whoHelp)
  )
  example(verify, 'portal user verify-email ada@example.com')
  verify.action((who: string, { json }: Json) =>
    withUser(who, async ({ db, actor }, id) => {
      await verifyEmail(db, actor, { userId: id })
      say('The e-mail address counts as confirmed.')
      if (json) await showUser(await findUser(db, id), json)
    })
  )
}

function addUnthrottle(user: Command) {
  const unthrottle = asData(
    user
      .command('unthrottle')
      .description('reset the rate limits of an account; needs the SECRET_KEYS of the server')
      .argument('<user>', whoHelp)
  )
  example(unthrottle, 'portal user unthrottle ada@example.com')
  unthrottle.action((who: string, { json }: Json) =>
    withPortal(async ({ db, actor, config }) => {
      const found = await findUser(db, await findUserId(db, who))
      const keys = bucketsOf(config).accountKeys(requireEmail(found.email), found.id)
      const deleted = await resetThrottle(db, actor, { userId: found.id, keys })
      say(
        deleted > 0
          ? 'The rate limits of the account were reset. Limits per client address still apply.'
          : 'No attempts were counted for the account with the first of these SECRET_KEYS. Check ' +
              'that they match the keys of the server. Limits per client address still apply.'
      )
      if (json) await showUser(found, json)
    }, loadKeyedConfig)
  )
}

function addMembership(user: Command) {
  for (const [name, what, change] of [
    ['grant', 'grant a role to a user', grantRole],
    ['revoke', 'revoke a role from a user', revokeRole]
  ] as const) {
    const command = asData(
      user
        .command(name)
        .description(what)
        .argument('<user>', whoHelp)
        .argument('<role>', 'key of the role')
    )
    example(command, `portal user ${name} ada@example.com support`)
    command.action(async (who: string, role: string, { json }: Json) =>
      withUser(who, async ({ db, actor }, id) => {
        await change(db, actor, { userId: id, role })
        say('Done.')
        if (name === 'grant' && (await findRole(db, role)).requiresSecondFactor) {
          await sayMemberFactors(db, { role, userId: id })
        }
        if (json) await showUser(await findUser(db, id), json)
      })
    )
  }
}

function addFactorCommands(user: Command) {
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
    withUser(who, async ({ db }, userId) => {
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
      const context = { db, mail, buckets: bucketsOf(config) }
      if (factor === 'totp') await removeUserTotp(context, actor, { userId })
      else await removeUserPasskey(context, actor, { userId, passkeyId: factor })
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

const bucketsOf = (config: Config) =>
  createBuckets(subKey(signingKey(config.SECRET_KEYS), 'throttle'), budgetsOf(config))
