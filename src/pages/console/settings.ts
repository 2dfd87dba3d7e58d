import type { SettingsSchemas } from '../../common/settings.ts'
import { ok, portal } from '../shared/client.ts'
import { useLoaded } from '../shared/load.tsx'
import { settings } from '../shared/page.tsx'
import { may } from './may.ts'
import { facts } from './operator/facts.ts'

/** Whether the portal keeps settings, and this user may see them. */
export const keepsSettings = () =>
  (facts.value ?? settings).keepsSettings === true && may('users:read')

/** Loads the schemas of settings, which exist only if `keepsSettings`. */
export const useSettingsSchema = () =>
  useLoaded(['/api/admin/settings-schema'], async (signal) => {
    const schemas: object = await ok(portal.GET('/api/admin/settings-schema', { signal }))
    return schemas as SettingsSchemas
  })
