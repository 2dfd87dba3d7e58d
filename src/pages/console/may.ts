import { user } from '../shared/session.ts'

/** Whether the signed-in user has a permission. The portal checks it again with each request. */
export const may = (permission: string) => user.value?.permissions.includes(permission) ?? false
