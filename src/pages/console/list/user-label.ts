import { signal } from '@preact/signals'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { may } from '../may.ts'

/** Names that were loaded, by user id: sentences have them instead of numbers. */
export const userNames = signal<Readonly<Record<string, string>>>({})

type Label = Pick<Schemas['User'], 'id' | 'name' | 'email'>

export const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** A few users whose name or address has this text. */
async function usersLike(q: string, signal?: AbortSignal): Promise<Label[]> {
  if (q === '' || isId(q) || !may('users:read')) return []
  const params = { query: { q, limit: 8 } }
  const { items } = await ok(portal.GET('/api/admin/users', { params, ...(signal && { signal }) }))
  return items
}

/** Offers them by their addresses. */
export const lookForUsers = async (text: string, signal: AbortSignal) =>
  (await usersLike(text, signal)).map(({ email, name }) => ({ text: email, name }))

/** Undefined if the user was deleted or is not visible, or if the text is no id. */
export async function labelOfUser(
  id: string | undefined,
  stop: AbortSignal
): Promise<Label | undefined> {
  if (id === undefined || !isId(id) || !may('users:read')) return undefined
  const params = { path: { id } }
  const user = await ok(portal.GET('/api/admin/users/{id}', { params, signal: stop })).catch(
    () => undefined
  )
  if (user) userNames.value = { ...userNames.value, [id]: user.name }
  return user
}

/**
 * The id of the user whom a text names: by id, address or name, or by a part of one that no other
 * user has.
 * @param takesKeys whether a text that is neither an address nor a name is a key, and the result
 */
export async function idOf(
  text: string,
  takesKeys: boolean
): Promise<{ id: string; mistake?: never } | { id?: never; mistake: string }> {
  if (text === '' || isId(text)) return { id: text }
  try {
    return chosenOf(await usersLike(text), text, takesKeys)
  } catch {
    return { mistake: 'The users cannot be searched now. Try again.' }
  }
}

/** Chooses among users that match the text, as `idOf` does. */
export function chosenOf(found: readonly Label[], text: string, takesKeys: boolean) {
  const isText = (other: string) => other.toLowerCase() === text.toLowerCase()
  const named = found.filter(({ name }) => isText(name))
  const exact =
    found.find(({ email }) => isText(email)) ?? (named.length === 1 ? named[0] : undefined)
  const only = !takesKeys && found.length === 1 ? found[0] : undefined
  const user = exact ?? only
  if (user) return { id: user.id }
  if (takesKeys) return { id: text }
  const mistake =
    found.length > 1
      ? 'Several users match. Choose one of them, or type the whole address.'
      : 'No user has this name or address.'
  return { mistake }
}
