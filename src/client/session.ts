import type { components } from '../../openapi/api.d.ts'

type Schemas = components['schemas']
export type User = Schemas['CurrentUser']

/** Who is signed in with this browser. */
export type Session =
  /** Nobody has asked yet, or the portal could not be reached. */
  | { is: 'unknown' }
  | { is: 'signed-out' }
  /** The password was right. The sign-in waits for its second factor. */
  | { is: 'second-factor'; due: Schemas['SecondFactorDue'] }
  | { is: 'signed-in'; user: User }

export const userOf = (session: Session) => (session.is === 'signed-in' ? session.user : undefined)

interface Surroundings {
  /** Asks the portal: null for nobody, undefined if the request failed. */
  read(): Promise<User | null | undefined>
  /** The session of this user is over. */
  onEnd(user: User): void
  /** This page has signed somebody in or out: other tabs should look. */
  tell(): void
}

export type SessionStore = ReturnType<typeof createSession>

/** Keeps who is signed in, and tells those that listen when it changes. */
export function createSession({ read, onEnd, tell }: Surroundings) {
  let value: Session = { is: 'unknown' }
  let learned = 0
  let isUnsure = false
  let questions = 0 // that are not answered
  let looking = Promise.resolve<Session>(value)
  const listeners = new Set<() => void>()

  function set(next: Session) {
    // Keeps the object while its content is equal, so that nobody draws it again.
    if (JSON.stringify(next) === JSON.stringify(value)) return
    const before = userOf(value)
    value = next
    for (const listener of listeners) listener()
    if (before && before.id !== userOf(next)?.id) onEnd(before)
  }
  const setUser = (user: User | null) =>
    set(user ? { is: 'signed-in', user } : { is: 'signed-out' })

  async function ask() {
    const before = learned
    let user = await read()
    // Asks again: the first request may have left with a cookie that was just replaced.
    if (user === null && userOf(value) && before === learned) user = await read()
    // A call of this page has meanwhile found something newer.
    if (before === learned) {
      isUnsure = user === undefined
      // A pending sign-in has no user yet.
      if (user || (user === null && value.is !== 'second-factor')) setUser(user)
    }
    questions--
    return value
  }

  function look() {
    questions++
    return (looking = looking.then(ask))
  }

  return {
    get value() {
      return value
    },
    /** Calls a function after each change. Returns a function that ends this. */
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Asks the portal who is signed in. Never rejects: if that fails, the value stays. */
    look,
    /** If the last question is not answered: resolves when it is, and rejects if it cannot be. */
    looked: () =>
      (questions || isUnsure) &&
      looking
        .then<unknown>(() => isUnsure && look())
        .then(() => {
          if (isUnsure) throw new TypeError('The portal is unavailable.')
        }),
    /**
     * Takes over what the response to a call of this page says.
     * @param isChange whether the call may have changed who is signed in
     */
    learn(found: User | null | Schemas['SecondFactorDue'], isChange: boolean) {
      const before = userOf(value)?.id
      learned++
      isUnsure = false
      if (found && 'next' in found) set({ is: 'second-factor', due: found })
      else setUser(found)
      if (isChange && before !== userOf(value)?.id) tell()
    }
  }
}
