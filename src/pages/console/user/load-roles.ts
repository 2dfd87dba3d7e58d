import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { may } from '../may.ts'

export type Role = Schemas['Role']

/** The roles of a user or a service, and others that can be granted. */
export const useRoles = ({ roles: keys }: { roles: readonly string[] }) =>
  useLoaded(['/api/admin/roles', keys], async (signal) => {
    const query = { limit: 200 }
    const { items } = await ok(portal.GET('/api/admin/roles', { params: { query }, signal }))
    const missing = keys.filter((key) => !items.some((role) => role.key === key))
    const others = await Promise.all(
      missing.map((key) =>
        ok(portal.GET('/api/admin/roles/{key}', { params: { path: { key } }, signal }))
      )
    )
    const all = [...items, ...others]
    return {
      own: all.filter(({ key }) => keys.includes(key)),
      others: all.filter(({ key }) => !keys.includes(key))
    }
  })

/** The records that say who gave a user a role, newest first. Undefined for those who may not. */
export const useGrants = ({ id: targetId }: Schemas['User']) =>
  useLoaded(['/api/admin/activity', 'grants', targetId], async (signal) => {
    if (!may('activity:read')) return undefined
    const pages = await Promise.all(
      ['user.role-grant', 'user.create'].map((action) => {
        const query = { targetId, action, limit: 200 }
        return ok(portal.GET('/api/admin/activity', { params: { query }, signal }))
      })
    )
    return pages.flatMap(({ items }) => items).filter(({ outcome }) => outcome === 'success')
  })
