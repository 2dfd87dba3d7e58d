import { permissionKeyForm } from '../../db/schema/roles.ts'
import { systemPermissions } from '../domain/permissions.ts'
import { problems } from '../problems/list.ts'
import type { AppDefinition } from './definition.ts'
import { wordFaults } from './word-faults.ts'

/** Every mistake in a definition: what is wrong, and what to do. */
export function faultsOf(definition: AppDefinition): string[] {
  const { permissions = {}, grants = {}, actions = {}, problems: ownProblems = {} } = definition
  const faults: string[] = []
  for (const key of Object.keys(permissions)) {
    if (!permissionKeyForm.test(key)) {
      faults.push(`permissions: ${key} must be like orders:read, in lowercase`)
    }
    if (Object.hasOwn(systemPermissions, key)) {
      faults.push(`permissions: ${key} is a permission of the portal. Choose another key`)
    }
  }
  for (const key of grants.user ?? []) {
    if (!Object.hasOwn(permissions, key)) {
      faults.push(`grants: ${key} is not in permissions. Declare it there`)
    }
  }
  for (const [name, action] of Object.entries(actions)) {
    if (!action.when) faults.push(`actions: ${name} does not say when it is recorded. Add: when`)
  }
  for (const code of Object.keys(ownProblems)) {
    if (Object.hasOwn(problems, code)) {
      faults.push(`problems: ${code} is a problem of the portal. Choose another code`)
    }
  }
  return [...faults, ...wordFaults(definition)]
}
