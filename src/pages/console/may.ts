import { user } from '../shared/session.ts'
import { facts } from './operator/facts.ts'

/** Whether the signed-in user has a permission. The portal checks it again with each request. */
export const may = (permission: string) => user.value?.permissions.includes(permission) ?? false

/** Whether changes are allowed at all: an operator's console may be for reading only. */
export const mayWrite = () => facts.value?.canWrite !== false
