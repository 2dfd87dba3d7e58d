import createClient from 'openapi-fetch'
import type { paths } from './generated/portal.d.ts'

/** Reads and writes the settings of an app, typed by its own schema. */
export async function changeSettings(baseUrl: string) {
  const portal = createClient<paths>({ baseUrl })
  const settings = await portal.GET('/api/user/settings')
  const ofApp = await portal.GET('/api/user/app-settings')
  await portal.PATCH('/api/user/settings', { body: { startPage: 'calendar', columns: null } })
  await portal.PUT('/api/user/settings', { body: { columns: ['date'] } })
  // A setting with a default is always there.
  const projects: number | undefined = ofApp.data?.limits.projects
  return {
    startPage: settings.data?.startPage satisfies 'inbox' | 'calendar' | undefined,
    columns: settings.data?.columns?.join(),
    projects
  }
}
