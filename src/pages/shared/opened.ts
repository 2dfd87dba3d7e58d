/** The users whom somebody opened last in this tab. Their names must not outlive the sign-in. */
const place = 'portal-opened'

interface Opened<Item> {
  userId: string | undefined
  items: Item[]
}

/** The pages that this user opened, the last one first. */
export function openedBy<Item>(userId: string | undefined): Item[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Opened<Item>>
    return (kept.userId === userId && kept.items) || []
  } catch {
    return []
  }
}

export function keepOpened<Item>(opened: Opened<Item>) {
  try {
    sessionStorage.setItem(place, JSON.stringify(opened))
  } catch {
    // The user blocks the storage of sites: nothing is kept.
  }
}

export function forgetOpened() {
  try {
    sessionStorage.removeItem(place)
  } catch {
    // As above.
  }
}

/** Removes what anybody else has opened: their session may have ended while no page was open. */
export function forgetOthers(userId: string | undefined) {
  if (openedBy(userId).length === 0) forgetOpened()
}
