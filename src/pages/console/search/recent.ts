import { useEffect } from 'preact/hooks'
import { keepOpened, openedBy } from '../../shared/opened.ts'
import { hasSessionEnded, user } from '../../shared/session.ts'
import type { Found } from './found.ts'

const most = 8

/** What was opened last, the last one first. */
export const recent = () => openedBy<Found>(user.value?.id)

/** For the view of something that has a name. */
export function useRemembered(found: Found | undefined) {
  useEffect(() => {
    if (found) remember(found)
  }, [found?.path, found?.title])
}

function remember(found: Found) {
  if (hasSessionEnded.value) return // the page stays, and can still be used to look at
  const others = recent().filter(({ path }) => path !== found.path)
  keepOpened({ userId: user.value?.id, items: [found, ...others].slice(0, most) })
}
