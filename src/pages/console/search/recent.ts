import { useEffect } from 'preact/hooks'
import { user } from '../../shared/session.ts'
import type { Found } from './found.ts'

const most = 8

/** Of this tab, and only for this user: the names of people outlive neither. */
const place = () => `recent ${user.value?.id}`

/** What was opened last, the last one first. */
export function recent(): Found[] {
  try {
    return JSON.parse(sessionStorage.getItem(place()) ?? '[]') as Found[]
  } catch {
    return []
  }
}

/** For the view of something that has a name. */
export function useRemembered(found: Found | undefined) {
  useEffect(() => {
    if (found) remember(found)
  }, [found?.path, found?.title])
}

function remember(found: Found) {
  const others = recent().filter(({ path }) => path !== found.path)
  try {
    sessionStorage.setItem(place(), JSON.stringify([found, ...others].slice(0, most)))
  } catch {
    // A browser that keeps nothing: there are no recent ones.
  }
}
