import type { Command } from 'commander'
import type { Assurance } from '../../db/schema/sessions.ts'
import { seePermission } from '../domain/access/user-permissions.ts'
import { onUser, whoHelp } from './one-user.ts'
import { asData, assuranceOption, example } from './options.ts'
import type { Json } from './options.ts'
import { printOne } from './output.ts'

export function addCan(user: Command) {
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
      onUser(who, async ({ db }, userId) => {
        await printOne(await seePermission(db, { userId, permission, assurance }), json)
      })
  )
}
