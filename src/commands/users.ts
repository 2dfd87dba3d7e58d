import { flagSorts } from '../../db/schema/flags.ts'
import { profileFields, themes, userSorts, userStatuses } from '../../db/schema/users.ts'
import { loadSettingsConfig } from '../config/config.ts'
import { seePermission } from '../domain/access/custom-permissions.ts'
import { exportData, recordExport } from '../domain/accounts/data-export.ts'
import { findSecurity } from '../domain/accounts/second-factor.ts'
import { deleteUser, updateUser } from '../domain/administration/users.ts'
import { listUserFlags } from '../domain/flags/trial.ts'
import { listUsers } from '../domain/users/list.ts'
import { listScopesOf } from '../domain/scopes/list.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { UserPatch } from '../schemas/users.ts'
import { accessCommands } from './access.ts'
import { command, group, inPortal, list } from './command.ts'
import type { OptionRow } from './options.ts'
import { UsageError } from './errors.ts'
import { unversioned } from './list.ts'
import { createUserCommand } from './new-users.ts'
import { assuranceOption, yes } from './options.ts'
import { done, printOne, write } from './output.ts'
import { settingsOf, userSettingsCommand } from './settings.ts'
import { checked, requireConfirmation } from './terminal.ts'
import { ofUser, printsUser, shown, userFields } from './user-argument.ts'

const profileOptions: OptionRow[] = Object.entries(profileFields).map(
  ([field, { example, ...given }]) => {
    const what = 'description' in given ? `${lowerFirst(given.description)}, ` : ''
    return [`--${kebab(field)} <text>`, `${what}such as "${example}"; '' clears it`]
  }
)

function lowerFirst(sentence: string) {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

function kebab(name: string) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const withStatus = (status: 'active' | 'deactivated', what: string) =>
  command({
    what,
    examples: ['ada@example.com'],
    run: printsUser(async (portal, id) =>
      updateUser(portal, portal.actor, { id, changes: { status } })
    )
  })

export const userCommands = group({
  what: 'users and their roles',
  examples: ['portal user list --role admin', 'portal user help update'],
  commands: {
    list: list({
      what: 'list users',
      options: [
        ['--q <text>', 'words of the name or the e-mail address, or an id'],
        ['--status <status>', 'only users with this status', { choices: userStatuses }],
        ['--role <key>', 'only users with this role'],
        ['--foreign-hash', 'only users whose password is still in the form of another system']
      ],
      examples: ['--role admin', '--q @example.org --all --json'],
      sorts: userSorts,
      newestFirst: true,
      rows: async ({ db }, window, { q, status, role, foreignHash }) =>
        unversioned(await listUsers(db, { q, status, role, foreignHash, ...window })),
      columns: ['email', 'name', 'status', 'roles', 'lastLoginAt']
    }),
    'show <user>': command({
      what: 'show a user with their second factors and scopes',
      examples: ['ada@example.com'],
      run: ofUser(async ({ db }, id, { json }) => {
        const { hasPassword, totp, ...factors } = await findSecurity(db, { id })
        const security = {
          hasPassword,
          totpSince: totp && totp.since,
          passkeys: factors.passkeys,
          recoveryCodesLeft: factors.recoveryCodesLeft,
          secondFactorRequiredBy: factors.requiredByRoles
        }
        const names = Object.keys(security) as (keyof typeof security)[]
        const held = await listScopesOf(db, id)
        const texts = held.map(({ scope, roles }) => `${scope} (${roles.join(', ')})`)
        const scopes: unknown = json ? held : texts.join(', ')
        const user = { ...shown(await findUser(db, id)), ...security, scopes }
        await printOne(user, json, [...userFields, ...names, 'scopes'])
      })
    }),
    'flags <user>': list({
      what: 'list the feature flags as a user gets them, and what decided each',
      options: [assuranceOption],
      examples: ['ada@example.com'],
      sorts: flagSorts,
      load: loadSettingsConfig,
      rows: async ({ db, config }, window, { assurance }, who) => {
        const userId = await findUserId(db, who)
        const settings = await settingsOf(config)
        return listUserFlags(db, { userId, assurance, settings, ...window })
      },
      columns: ['key', 'variant', 'value', 'reason', 'rule', 'bucket']
    }),
    'can <user> <permission>': command({
      what: 'say whether a user has a permission, and which role gives or withholds it',
      args: { permission: 'key of the permission, such as users:read' },
      options: [assuranceOption],
      examples: ['ada@example.com users:read', 'ada@example.com users:read --assurance 2'],
      run: ofUser(async ({ db }, userId, { json, assurance }, permission) =>
        printOne(await seePermission(db, { userId, permission, assurance }), json)
      )
    }),
    create: createUserCommand,
    'update <user>': command({
      what: 'update e-mail address, name, theme or profile',
      options: [
        ['--email <address>', 'e-mail address to sign in with'],
        ['--name <name>', 'display name'],
        ['--theme <theme>', 'theme of the app', { choices: themes }],
        ...profileOptions
      ],
      examples: ['ada@example.com --name "Ada King" --time-zone Europe/London'],
      run: printsUser(async (portal, id, { json, email, name, theme, ...given }) => {
        const fields = Object.entries<string>(given).map(([field, value]) => [field, value || null])
        const profile = fields.length > 0 ? Object.fromEntries(fields) : undefined
        const changes = await checked(UserPatch, { email, name, theme, profile })
        return updateUser(portal, portal.actor, { id, changes })
      })
    }),
    'deactivate <user>': withStatus(
      'deactivated',
      'prevent a user from signing in, and end all of their sessions'
    ),
    'reactivate <user>': withStatus('active', 'allow a user to sign in again'),
    'delete <user>': command({
      what: 'delete a user',
      options: [yes],
      examples: ['ada@example.com --yes'],
      run: inPortal(async (portal, { yes, json }, who) => {
        const id = await findUserId(portal.db, who)
        await requireConfirmation(`This permanently deletes the user ${who}.`, yes)
        await deleteUser(portal, portal.actor, { id })
        await done('Deleted.', json, { deleted: id })
      })
    }),
    'restore <user>': command({
      what: 'restore an account whose user has planned to delete it',
      examples: ['ada@example.com'],
      run: printsUser(async (portal, id, _, who) => {
        const { deleteAt } = await findUser(portal.db, id)
        if (deleteAt === null) throw new UsageError(`No deletion of ${who} is planned.`)
        return updateUser(portal, portal.actor, { id, changes: { status: 'active' } })
      })
    }),
    'export <user>': command({
      what: 'print what is kept about a user, as JSON; recorded in the audit trail',
      json: false,
      examples: ['ada@example.com > ada.json'],
      run: ofUser(async (portal, id) => {
        const settings = await settingsOf(portal.config)
        await recordExport(portal.db, portal.actor, id)
        for await (const text of exportData({ ...portal, settings }, { id })) await write(text)
      }, loadSettingsConfig)
    }),
    'settings <user>': userSettingsCommand,
    ...accessCommands
  }
})
