import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { changeAs } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor, CommandLine, Permitted } from '../actor.ts'
import { checkAll } from '../domain-error.ts'
import { emailTaken } from '../errors.ts'
import { links, sendLink } from '../mail/links.ts'
import type { SystemRole } from '../permissions.ts'
import { requireEmail } from '../users/emails.ts'
import { cleanName } from '../texts.ts'
import { findUser, insertUser } from '../users/users.ts'
import { cleanChanges } from '../accounts/changes.ts'
import type { Changes } from '../accounts/changes.ts'
import { addResetLink } from './operator-links.ts'
import type { Services } from '../sign-in/services.ts'

interface NewUser extends Changes {
  email: string
  name: string
  password?: string | undefined
  status?: UserRow['status'] | undefined
  /** Whether the address counts as confirmed. */
  emailVerified?: boolean | undefined
}
type PasswordServices = Pick<Services, 'db' | 'passwords'>
type User = Awaited<ReturnType<typeof findUser>>

/**
 * Creates an account for another person. Without a password the user cannot sign in until one is
 * set. Throws `email-taken`, and refusals that name a field.
 */
export const createUser = (services: PasswordServices, actor: Actor, input: NewUser) =>
  insertAccount(services, actor, input, ['user'], justUser)

/**
 * Like createUser, but the user chooses the password with a link. It is sent to their address;
 * without mail, or if it is not wanted, it is returned.
 */
export const inviteUser = (
  services: PasswordServices & Pick<Services, 'mail'>,
  actor: Actor,
  { byMail, ...input }: Omit<NewUser, 'password' | 'status'> & { byMail: boolean }
) =>
  insertAccount(services, actor, input, ['user'], async (tx, by, user) => {
    const { id, email, name, profile } = user
    const mail = byMail ? services.mail : undefined
    if (mail) await sendLink(tx, mail, 'invitation', { id, email, name, ...profile })
    const { expiresIn } = links.invitation
    return {
      user,
      link: mail ? undefined : await addResetLink(tx, by, { userId: id, expiresIn })
    }
  })

/**
 * Like createUser, with the role `admin` and a confirmed address. For the command line only: does
 * not check what may be granted.
 */
export const createAdmin = (services: PasswordServices, actor: CommandLine, input: NewUser) =>
  insertAccount(services, actor, { ...input, emailVerified: true }, ['user', 'admin'], justUser)

const justUser = async (_tx: Db, _by: Permitted, user: User) => user

async function insertAccount<T>(
  services: PasswordServices,
  actor: Actor,
  { email, name: givenName, password, status = 'active', emailVerified, theme, profile }: NewUser,
  roles: SystemRole[],
  finish: (tx: Db, by: Permitted, user: User) => Promise<T>
) {
  const [emailNormalized, name, columns] = await checkAll(
    () => requireEmail(email),
    () => cleanName(givenName),
    () => cleanChanges({ theme, profile }),
    () =>
      password === undefined
        ? undefined
        : services.passwords.check(password, 'password', { email, name: givenName })
  )
  const passwordHash = password === undefined ? undefined : await services.passwords.hash(password)
  const values = {
    ...columns,
    email,
    emailNormalized,
    name,
    status,
    ...(passwordHash && { passwordHash }),
    ...(emailVerified && { emailVerifiedAt: sql`now()` })
  }
  const insert = (tx: Db) => insertUser(tx, values, roles)
  return changeAs(services.db, actor, 'users:create', insert, async (tx, by, id) => {
    if (!id) throw emailTaken()
    const role = roles.find((each) => each === 'admin')
    await record(tx, by, 'user.create', { userId: id, details: { email, role } })
    return finish(tx, by, await findUser(tx, id))
  })
}
