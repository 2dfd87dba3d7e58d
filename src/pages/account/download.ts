import { ok, portal } from '../shared/client.ts'
import { loadActivity } from './activity.tsx'

/** Saves a file with what the portal knows about the user: what their own calls return. */
export async function download() {
  const limit = { params: { query: { limit: 100 } } }
  const copy = {
    account: await ok(portal.GET('/api/auth/me')),
    email: await ok(portal.GET('/api/user/email')),
    profile: await ok(portal.GET('/api/user/profile')),
    security: await ok(portal.GET('/api/user/security')),
    passkeys: (await ok(portal.GET('/api/user/passkeys'))).items,
    sessions: (await ok(portal.GET('/api/user/sessions', limit))).items,
    activity: await allActivity()
  }
  const text = JSON.stringify(copy, null, 2)
  saveFile('account.json', new Blob([text], { type: 'application/json' }))
}

export function saveFile(name: string, file: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Page by page: retention bounds how many there are. */
async function allActivity() {
  const all = []
  let cursor: string | null | undefined
  do {
    const page = await loadActivity(100, cursor)
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}
