import type { Command } from 'commander'
import { loadKeyedConfig } from '../config/config.ts'
import { setPassword } from '../domain/administration/set-password.ts'
import { verifyEmail } from '../domain/administration/verified-emails.ts'
import { requireEmail } from '../domain/users/emails.ts'
import { grantRole, revokeRole } from '../domain/access/memberships.ts'
import { findRole } from '../domain/access/roles.ts'
import { resetThrottle } from '../domain/throttling/cleanup.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { addFactorCommands, bucketsOf } from './factors.ts'
import { addUserProviderCommands } from './providers.ts'
import { addLinks } from './links.ts'
import { sayMemberFactors } from './member-factors.ts'
import { onUser, passwordHelp, showUser, whoHelp } from './one-user.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { say } from './output.ts'
import { checkPassword, withPortal } from './portal.ts'
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
    await onUser(who, async (portal, id) => {
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
    onUser(who, async ({ db, actor }, id) => {
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
      const keys = bucketsOf(config).keysOf(requireEmail(found.email), found.id)
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
      onUser(who, async ({ db, actor }, id) => {
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
