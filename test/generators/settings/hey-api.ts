import { client } from './generated/client.gen.ts'
import {
  getOwnAppSettings,
  getOwnSettings,
  replaceOwnSettings,
  updateOwnSettings
} from './generated/sdk.gen.ts'

/** Reads and writes the settings of an app, typed by its own schema. */
export async function changeSettings(baseUrl: string) {
  client.setConfig({ baseUrl })
  const settings = await getOwnSettings()
  const ofApp = await getOwnAppSettings()
  await updateOwnSettings({ body: { startPage: 'calendar', columns: null } })
  await replaceOwnSettings({ body: { columns: ['date'] } })
  const projects: number | undefined = ofApp.data?.limits.projects
  return {
    startPage: settings.data?.startPage satisfies 'inbox' | 'calendar' | undefined,
    columns: settings.data?.columns?.join(),
    projects
  }
}
