import { findUser, findUserId } from '../domain/users/users.ts'
import { printOne } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'

// What commands about one user have in common.

export const whoHelp = 'id or e-mail address of the user'
export const passwordHelp =
  'file with the password in its first line, - for stdin; without it you are prompted'

type User = Awaited<ReturnType<typeof findUser>>
export const userFields = [
  'id',
  'email',
  'emailVerified',
  'name',
  'status',
  'roles',
  'secondFactor',
  'theme',
  'profile',
  'createdAt',
  'updatedAt',
  'lastLoginAt',
  'deleteAt'
] as const

export const withUser = (who: string, work: (portal: Portal, id: string) => Promise<void>) =>
  withPortal(async (portal) => work(portal, await findUserId(portal.db, who)))

export const shown = ({ version, revision, ...user }: User) => user

export const showUser = (user: User, json: boolean | undefined) =>
  printOne(shown(user), json, userFields)
