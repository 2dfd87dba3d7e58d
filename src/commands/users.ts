import { Option } from 'commander'
import type { Command } from 'commander'
import { themes, userStatuses } from '../../db/schema/users.ts'
import type { userSorts } from '../../db/schema/users.ts'
import { budgetsOf } from '../budgets.ts'
import { loadKeyedConfig } from '../config.ts'
import { setPassword } from '../domain/credentials.ts'
import { requireEmail } from '../domain/emails.ts'
import { grantRole, revokeRole } from '../domain/memberships.ts'
import { bucketsOf, resetThrottle } from '../domain/throttles.ts'
import { createUser, deleteUser, updateUser } from '../domain/user-changes.ts'
import { findUser, findUserId, listUsers } from '../domain/users.ts'
import type { UserFilters } from '../domain/users.ts'
import { signingKey, subKey } from '../keys.ts'
import { NewUser, UserPatch } from '../schemas/users.ts'
import { checked } from './input.ts'
import { asData, asList, collect, example } from './options.ts'
import type { ListOptions } from './options.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { printOne, printRows, readPassword, requireConfirmation, say } from './terminal.ts'

const fields = ['id', 'email', 'name', 'status', 'roles', 'theme', 'profile', 'createdAt', 'updatedAt', 'lastLoginAt']
const whoHelp = 'id or e-mail address of the user'
const passwordHelp = 'file with the password in its first line; - is stdin. Without it you are asked'
interface Json { json?: true }

export function addUserCommands (program: Command) {
  const user = program.command('user').description('users and their roles')

  example(asList(user.command('list').description('list users'), ['-createdAt', 'email', 'name'])
    .option('--q <text>', 'beginning of the address or part of the name')
    .addOption(new Option('--status <status>', 'whether they may sign in').choices(userStatuses))
    .option('--role <key>', 'who has this role'), 'portal user list --role admin', 'portal user list --q lovelace --json')
    .action(async ({ q, status, role, ...options }: UserFilters & ListOptions<typeof userSorts[number]>) => withPortal(async ({ db }) => {
      const rows = await collect(options, (window) => listUsers(db, { q, status, role, ...window }))
      printRows(rows.map(({ version, ...row }) => row), ['email', 'name', 'status', 'roles', 'lastLoginAt', 'id'], options.json === true)
    }))

  example(asData(user.command('show').description('show a user').argument('<user>', whoHelp)), 'portal user show ada@example.com')
    .action(async (who: string, { json }: Json) => onUser(who, async ({ db }, id) => show(await findUser(db, id), json)))

  example(asData(user.command('create').description('make a user with the role user'))
    .requiredOption('--email <address>', 'to sign in with')
    .requiredOption('--name <name>', 'what to call them')
    .option('--password-file <file>', passwordHelp)
    .option('--no-password', 'nobody signs in until one is set'), 'portal user create --email ada@example.com --name "Ada Lovelace"')
    .action(async (options: Json & { email: string, name: string, passwordFile?: string, password: boolean }) => {
      const password = options.password ? await readPassword(options.passwordFile) : undefined
      await withPortal(async ({ db, passwords, actor }) => show(await createUser(db, passwords, actor, await checked(NewUser, { email: options.email, name: options.name, password })), options.json))
    })

  example(asData(user.command('update').description('change address, name or theme').argument('<user>', whoHelp))
    .option('--email <address>', 'to sign in with')
    .option('--name <name>', 'what to call them')
    .addOption(new Option('--theme <theme>', 'of the app').choices(themes)), 'portal user update ada@example.com --name "Ada King"')
    .action(async (who: string, { json, ...changes }: Json & object) => onUser(who, async ({ db, actor }, id) => show(await updateUser(db, actor, id, await checked(UserPatch, changes)), json)))

  for (const [name, status, what] of [['deactivate', 'deactivated', 'end all sessions of a user and let them sign in no more'], ['reactivate', 'active', 'let a user sign in again']] as const) {
    example(asData(user.command(name).description(what).argument('<user>', whoHelp)), `portal user ${name} ada@example.com`)
      .action(async (who: string, { json }: Json) => onUser(who, async ({ db, actor }, id) => show(await updateUser(db, actor, id, { status }), json)))
  }

  example(user.command('delete').description('delete a user').argument('<user>', whoHelp).option('--yes', 'do not ask'), 'portal user delete ada@example.com --yes')
    .action(async (who: string, { yes }: { yes?: boolean }) => onUser(who, async ({ db, actor }, id) => {
      await requireConfirmation(`This deletes the user ${who}, for good.`, yes)
      await deleteUser(db, actor, id)
      say('deleted')
    }))

  example(user.command('set-password').description('set a password and end all sessions of the user').argument('<user>', whoHelp)
    .option('--password-file <file>', passwordHelp), 'portal user set-password ada@example.com', 'pwgen 20 1 | portal user set-password ada@example.com --password-file -')
    .action(async (who: string, { passwordFile }: { passwordFile?: string }) => {
      const password = await readPassword(passwordFile)
      await onUser(who, async ({ db, passwords, actor }, id) => setPassword(db, passwords, actor, id, password))
      say('The password was set, and all sessions of the user are over.')
    })

  example(user.command('unthrottle').description('forget the failed logins to an account; needs the SECRET_KEYS of the server').argument('<user>', whoHelp), 'portal user unthrottle ada@example.com')
    .action(async (who: string) => withPortal(async ({ db, actor, config }) => {
      const { id, email } = await findUser(db, await findUserId(db, who))
      const buckets = bucketsOf(subKey(signingKey(config.SECRET_KEYS), 'throttle'), budgetsOf(config))
      await resetThrottle(db, actor, buckets.account(requireEmail(email)), id)
      say('What was counted against the account is forgotten.')
    }, loadKeyedConfig))

  for (const [name, what, change] of [['grant', 'give a role to a user', grantRole], ['revoke', 'take a role from a user', revokeRole]] as const) {
    example(user.command(name).description(what).argument('<user>', whoHelp).argument('<role>', 'key of the role'), `portal user ${name} ada@example.com support`)
      .action(async (who: string, role: string) => onUser(who, async ({ db, actor }, id) => {
        await change(db, actor, id, role)
        say('done')
      }))
  }

  const admin = program.command('admin').description('administrators')
  example(asData(admin.command('create').description('make an administrator'))
    .requiredOption('--email <address>', 'to sign in with')
    .option('--name <name>', 'what to call them', 'Administrator')
    .option('--password-file <file>', passwordHelp), 'portal admin create --email ops@example.com')
    .action(async ({ email, name, passwordFile, json }: Json & { email: string, name: string, passwordFile?: string }) => {
      const password = await readPassword(passwordFile)
      await withPortal(async ({ db, passwords, actor }) => {
        show(await createUser(db, passwords, actor, await checked(NewUser, { email, name, password }), ['user', 'admin']), json)
      })
    })
}

const onUser = (who: string, work: (portal: Portal, id: string) => Promise<void>) => withPortal(async (portal) => work(portal, await findUserId(portal.db, who)))

function show ({ version, revision, ...user }: Awaited<ReturnType<typeof findUser>>, json: boolean | undefined) {
  printOne(user, fields, json === true)
}
