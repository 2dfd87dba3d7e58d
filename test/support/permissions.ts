import { systemRoles } from '../../src/domain/permissions.ts'

/** The permissions of every registered account, as responses list them. `registry.test.ts` names each. */
export const userPermissions: string[] = [...systemRoles.user.permissions].sort()
