import { ok } from 'portal-client'
import { portal } from '../portal.ts'
import { find, onSubmit, show } from '../view.ts'

const names = ['location', 'pronouns', 'website'] as const

export async function loadProfile() {
  const profile = await ok(portal.api.GET('/api/user/profile'))
  return () => {
    show('profile')
    for (const name of names) find<HTMLInputElement>(`[name=${name}]`).value = profile[name] ?? ''
    onSubmit('form', async (fields) => {
      // A merge patch: null clears a field, and fields that are absent stay as they are.
      const body = Object.fromEntries(names.map((name) => [name, fields[name] || null]))
      await ok(portal.api.PATCH('/api/user/profile', { body }))
      return 'Saved'
    })
  }
}
