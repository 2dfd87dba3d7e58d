import { ok, portal } from '../shared/client.ts'

/** Saves a file with what the portal knows about the user. */
export async function download() {
  const text = JSON.stringify(await ok(portal.GET('/api/user/export')), null, 2)
  saveFile('account.json', new Blob([text], { type: 'application/json' }))
}

export function saveFile(name: string, file: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
