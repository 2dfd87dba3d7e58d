import { Option } from 'commander'
import type { Command } from 'commander'
import type { flagSorts } from '../../db/schema/flags.ts'
import type { Assurance } from '../../db/schema/sessions.ts'
import { profileFields, themes, userStatuses } from '../../db/schema/users.ts'
import type { userSorts } from '../../db/schema/users.ts'
import { loadSettingsConfig } from '../config/config.ts'
import { seePermission } from '../domain/access/custom-permissions.ts'
import { exportData, recordExport } from '../domain/accounts/data-export.ts'
import { findSecurity } from '../domain/accounts/second-factor.ts'
import { deleteUser, updateUser } from '../domain/administration/creation.ts'
import { listUserFlags } from '../domain/flags/trial.ts'
import { listUsers } from '../domain/users/list.ts'
import type { UserFilters } from '../domain/users/list.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { UserPatch } from '../schemas/users.ts'
import { UsageError } from './errors.ts'
import { mapPage, printList } from './list.ts'
import { addCreate } from './new-users.ts'
import { withUser, shown, showUser, userFields, whoHelp } from './user-argument.ts'
import { asData, asList, assuranceOption, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { addUserSettings, settingsOf } from './settings.ts'
import { checked, requireConfirmation } from './terminal.ts'

export function addUserCommands(program: Command) {
  const user = program.command('user').description('users and their roles')
  example(user, 'portal user list --role admin', 'portal user help update')
  addList(user)
  addShow(user)
  addFlags(user)
  addCan(user)
  addCreate(user)
  addUpdate(user)
  addStatus(user)
  addDelete(user)
  addRestore(user)
  addExport(user)
  addUserSettings(user)
  return user
}

function addList(user: Command) {
  type Options = UserFilters & ListOptions<(typeof userSorts)[number]>
  const list = asList(user.command('list').description('list users'), [
    '-createdAt',
    'email',
    'name'
  ])
    .option('--q <text>', 'part of the e-mail address or the name')
    .addOption(new Option('--status <status>', 'only users with this status').choices(userStatuses))
    .option('--role <key>', 'only users with this role')
    .option('--foreign-hash', 'only users whose password is still in the form of another system')
  example(list, 'portal user list --role admin', 'portal user list --q @example.org --all --json')
  list.action(async ({ q, status, role, foreignHash, ...options }: Options) =>
    withPortal(async ({ db }) =>
      printList(
        options,
        async (window) => {
          const page = await listUsers(db, { q, status, role, foreignHash, ...window })
          return mapPage(page, ({ version, ...row }) => row)
        },
        ['email', 'name', 'status', 'roles', 'lastLoginAt']
      )
    )
  )
}

function addShow(user: Command) {
  const show = asData(
    user
      .command('show')
      .description('show a user and their second factors')
      .argument('<user>', whoHelp)
  )
  example(show, 'portal user show ada@example.com')
  show.action(async (who: string, { json }: Json) =>
    withUser(who, async ({ db }, id) => {
      const { hasPassword, totp, ...factors } = await findSecurity(db, { id })
      await printOne(
        {
          ...shown(await findUser(db, id)),
          hasPassword,
          totpSince: totp && totp.since,
          passkeys: factors.passkeys,
          recoveryCodesLeft: factors.recoveryCodesLeft,
          secondFactorRequiredBy: factors.requiredByRoles
        },
        json,
        [
          ...userFields,
          'hasPassword',
          'totpSince',
          'passkeys',
          'recoveryCodesLeft',
          'secondFactorRequiredBy'
        ]
      )
    })
  )
}

function addFlags(user: Command) {
  type Options = { assurance?: Assurance } & ListOptions<(typeof flagSorts)[number]>
  const list = asList(
    user
      .command('flags')
      .description('list the feature flags as a user gets them, and what decided each')
      .argument('<user>', whoHelp),
    ['key', '-createdAt']
  ).addOption(assuranceOption())
  example(list, 'portal user flags ada@example.com')
  list.action(async (who: string, { assurance, ...options }: Options) =>
    withPortal(async ({ db, config }) => {
      const of = {
        userId: await findUserId(db, who),
        assurance,
        settings: await settingsOf(config)
      }
      await printList(options, (window) => listUserFlags(db, { ...of, ...window }), [
        'key',
        'variant',
        'value',
        'reason',
        'rule',
        'bucket'
      ])
    }, loadSettingsConfig)
  )
}

function addUpdate(user: Command) {
  type Options = Json & { email?: string; name?: string; theme?: string } & Record<string, string>
  const update = asData(
    user
      .command('update')
      .description('update e-mail address, name, theme or profile')
      .argument('<user>', whoHelp)
  )
    .option('--email <address>', 'e-mail address to sign in with')
    .option('--name <name>', 'display name')
    .addOption(new Option('--theme <theme>', 'theme of the app').choices(themes))
  for (const [field, { example: value, ...given }] of Object.entries(profileFields)) {
    const what = 'description' in given ? `${lowerFirst(given.description)}, ` : ''
    update.option(`--${kebab(field)} <text>`, `${what}such as "${value}"; '' clears it`)
  }
  example(update, 'portal user update ada@example.com --name "Ada King" --time-zone Europe/London')
  update.action(async (who: string, { json, email, name, theme, ...given }: Options) => {
    const profile = Object.entries(given).map(([field, value]) => [
      field,
      value === '' ? null : value
    ])
    const changes = {
      email,
      name,
      theme,
      profile: profile.length > 0 ? Object.fromEntries(profile) : undefined
    }
    await withUser(who, async (portal, id) =>
      showUser(
        await updateUser(portal, portal.actor, { id, changes: await checked(UserPatch, changes) }),
        json
      )
    )
  })
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function addStatus(user: Command) {
  for (const [name, status, what] of [
    ['deactivate', 'deactivated', 'prevent a user from signing in, and end all of their sessions'],
    ['reactivate', 'active', 'allow a user to sign in again']
  ] as const) {
    const command = asData(user.command(name).description(what).argument('<user>', whoHelp))
    example(command, `portal user ${name} ada@example.com`)
    command.action(async (who: string, { json }: Json) =>
      withUser(who, async (portal, id) =>
        showUser(await updateUser(portal, portal.actor, { id, changes: { status } }), json)
      )
    )
  }
}

function addRestore(user: Command) {
  const restore = asData(
    user
      .command('restore')
      .description('restore an account whose user has planned to delete it')
      .argument('<user>', whoHelp)
  )
  example(restore, 'portal user restore ada@example.com')
  restore.action(async (who: string, { json }: Json) =>
    withUser(who, async (portal, id) => {
      const { deleteAt } = await findUser(portal.db, id)
      if (deleteAt === null) throw new UsageError(`No deletion of ${who} is planned.`)
      const changes = { status: 'active' } as const
      await showUser(await updateUser(portal, portal.actor, { id, changes }), json)
    })
  )
}

function addExport(user: Command) {
  const exports = user
    .command('export')
    .description('print what is kept about a user, as JSON; recorded in the audit trail')
    .argument('<user>', whoHelp)
  example(exports, 'portal user export ada@example.com > ada.json')
  exports.action(async (who: string) =>
    withPortal(async (portal) => {
      const id = await findUserId(portal.db, who)
      const settings = await settingsOf(portal.config)
      await recordExport(portal.db, portal.actor, id)
      for await (const text of exportData({ ...portal, settings }, { id })) await write(text)
    }, loadSettingsConfig)
  )
}

function addDelete(user: Command) {
  const remove = asData(
    user.command('delete').description('delete a user').argument('<user>', whoHelp)
  ).option('--yes', 'do not ask for confirmation')
  example(remove, 'portal user delete ada@example.com --yes')
  remove.action(async (who: string, { yes, json }: Json & { yes?: boolean }) =>
    withUser(who, async (portal, id) => {
      await requireConfirmation(`This permanently deletes the user ${who}.`, yes)
      await deleteUser(portal, portal.actor, { id })
      say('Deleted.')
      if (json) await printJson({ deleted: id })
    })
  )
}

function addCan(user: Command) {
  const can = asData(
    user
      .command('can')
      .description('say whether a user has a permission, and which role gives or withholds it')
      .argument('<user>', whoHelp)
      .argument('<permission>', 'key of the permission, such as users:read')
  ).addOption(assuranceOption())
  example(
    can,
    'portal user can ada@example.com users:read',
    'portal user can ada@example.com users:read --assurance 2'
  )
  can.action(
    (who: string, permission: string, { json, assurance }: Json & { assurance?: Assurance }) =>
      withUser(who, async ({ db }, userId) => {
        await printOne(await seePermission(db, { userId, permission, assurance }), json)
      })
  )
}
