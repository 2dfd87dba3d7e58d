import type { Db } from '../../db/engine.ts'
import { findMemberFactors } from '../domain/factors/list.ts'
import { findUser, findUserId } from '../domain/users/users.ts'
import { inPortal } from './command.ts'
import type { Json } from './options.ts'
import { plain, printOne, say } from './output.ts'
import type { Portal } from './portal.ts'

// Commands about one user share this argument, and print the user in one order.

export const passwordOption = [
  '--password-file <file>',
  'file with the password in its first line, - for stdin; without it you are prompted'
] as const

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

export const shown = ({ version, revision, ...user }: User) => user

export const showUser = (user: User, json: boolean | undefined) =>
  printOne(shown(user), json, userFields)

export const optionalUserId = async (db: Db, who: string | undefined) =>
  who === undefined ? undefined : findUserId(db, who)

type Load = Parameters<typeof inPortal>[1]
type Work<Given, Args extends unknown[], Result> = (
  portal: Portal,
  userId: string,
  given: Given,
  ...args: Args
) => Promise<Result>

/** Runs with the id of the user that the first argument names. */
export const ofUser = <Given = Json, Args extends unknown[] = string[]>(
  work: Work<Given, Args, unknown>,
  load?: Load
) =>
  inPortal<Given, [who: string, ...Args]>(
    async (portal, given, who, ...args) =>
      work(portal, await findUserId(portal.db, who), given, ...args),
    load
  )

/** Runs with the id of a user, and prints the user whom `work` returns. */
export const printsUser = <Given extends Json = Json>(work: Work<Given, [who: string], User>) =>
  inPortal<Given>(async (portal, given, who) =>
    showUser(await work(portal, await findUserId(portal.db, who), given, who), given.json)
  )

/** Runs with the id of a user, says what `work` returns, and prints the changed user as JSON. */
export const changesUser = <Given extends Json = Json>(
  work: Work<Given, string[], string>,
  load?: Load
) =>
  ofUser<Given>(async (portal, id, given, ...args) => {
    say(await work(portal, id, given, ...args))
    if (given.json) await showUser(await findUser(portal.db, id), given.json)
  }, load)

/** Longer lists are cut: nobody reads them. */
const most = 20

/**
 * Names the second factors that give a role that requires one to its members, or to one of them. A
 * thief with the password of a member may have set one up while the role did not require it.
 */
export async function sayMemberFactors(
  db: Db,
  { role, userId }: { role: string; userId?: string }
) {
  const found = await findMemberFactors(db, { role, userId, limit: most + 1 })
  if (found.length === 0) return
  say('With these second factors, members can use the role. Ask the members about recent ones:')
  for (const { email, name, since } of found.slice(0, most)) {
    const factor = name === null ? 'authenticator app' : `passkey "${plain(name)}"`
    say(`  ${plain(email)}: ${factor}, set up ${ageOf(since)}`)
  }
  if (found.length > most) say(`  … and older ones: these are the ${most} newest.`)
}

function ageOf(since: Date) {
  const days = Math.floor((Date.now() - since.getTime()) / 86_400_000)
  const day = since.toISOString().slice(0, 10)
  return days < 1 ? `in the last 24 hours (${day})` : `${days} days ago (${day})`
}
