import { systemRoles } from '../../src/domain/permissions.ts'

/** What every registered account may do, as responses list it. `registry.test.ts` names each. */
export const userPermissions: string[] = [...systemRoles.user.permissions].sort()
