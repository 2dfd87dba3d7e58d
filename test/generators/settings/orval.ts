import * as portal from './generated/portal.ts'

/** Reads and writes the settings of an app, typed by its own schema. */
export async function changeSettings() {
  const settings = await portal.getOwnSettings()
  const ofApp = await portal.getOwnAppSettings()
  await portal.updateOwnSettings({ startPage: 'calendar', columns: null })
  await portal.replaceOwnSettings({ columns: ['date'] })
  if (settings.status !== 200 || ofApp.status !== 200) throw new Error('not signed in')
  const projects: number = ofApp.data.limits.projects
  return {
    startPage: settings.data.startPage satisfies 'inbox' | 'calendar',
    columns: settings.data.columns?.join(),
    projects
  }
}
