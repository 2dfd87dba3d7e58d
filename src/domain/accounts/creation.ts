import type { UserRow } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { requirePermission } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { checkAll } from '../domain-error.ts'
import { emailTaken } from '../errors.ts'
import type { SystemRole } from '../permissions.ts'
import { requireEmail } from '../users/emails.ts'
import { cleanName } from '../users/texts.ts'
import { findUser, insertUser } from '../users/users.ts'
import { cleanChanges } from './changes.ts'
import type { Changes } from './changes.ts'
import type { Services } from './services.ts'

interface NewUser extends Changes {
  email: string
  name: string
  password?: string | undefined
  status?: UserRow['status'] | undefined
}
type PasswordServices = Pick<Services, 'db' | 'passwords'>

/**
 * Creates an account for another person. Without a password the user cannot sign in until one is
 * set. Throws `email-taken`, and refusals that name a field.
 */
export const createUser = (services: PasswordServices, actor: Actor, input: NewUser) =>
  insertAccount(services, actor, input, ['user'])

/**
 * Like createUser, with the role `admin`. For the command line only: does not check permissions.
 */
export const createAdmin = (services: PasswordServices, actor: Actor, input: NewUser) =>
  insertAccount(services, actor, input, ['user', 'admin'])

async function insertAccount(
  { db, passwords }: PasswordServices,
  actor: Actor,
  { email, name: givenName, password, status = 'active', theme, profile }: NewUser,
  roles: SystemRole[]
) {
  const [emailNormalized, name, columns] = await checkAll(
    () => requireEmail(email),
    () => cleanName(givenName),
    () => cleanChanges({ theme, profile }),
    () =>
      password === undefined
        ? undefined
        : passwords.check(password, 'password', { email, name: givenName })
  )
  const passwordHash = password === undefined ? undefined : await passwords.hash(password)
  return transaction(db, async (tx) => {
    await requirePermission(tx, actor, 'users:create')
    const id = await insertUser(
      tx,
      { ...columns, email, emailNormalized, name, status, ...(passwordHash && { passwordHash }) },
      roles
    )
    if (!id) throw emailTaken()
    await record(tx, actor, 'user.create', {
      target: { type: 'user', id },
      details: { email, ...(roles.includes('admin') && { role: 'admin' }) }
    })
    return findUser(tx, id)
  })
}
