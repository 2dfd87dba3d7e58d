import type { UserRow } from '../../../db/schema/users.ts'

/**
 * When the account of a user who has planned to delete it is due. Null for everybody else: only the
 * user's own plan has a date, so nobody restores an account that an operator has deactivated.
 */
export const plannedDeletion = ({ status, deleteAt }: Pick<UserRow, 'status' | 'deleteAt'>) =>
  status === 'deactivated' ? deleteAt : null

/** Whether the user can sign in, or could after restoring the account. */
export const isPresent = (user: Pick<UserRow, 'status' | 'deleteAt'>) =>
  user.status === 'active' || plannedDeletion(user) !== null
