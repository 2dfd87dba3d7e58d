import { createContext, createElement, useContext, useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { Portal, Session, User } from './portal.ts'

/** The part of a client of OpenFeature that `useFlag` needs. */
interface Flags {
  getBooleanValue(key: string, fallback: boolean): boolean
  getStringValue(key: string, fallback: string): string
  getNumberValue(key: string, fallback: number): number
  addHandler(event: never, handler: () => void): void
  removeHandler(event: never, handler: () => void): void
}

const Context = createContext<{ portal: Portal; flags?: Flags | undefined } | undefined>(undefined)

/** The session on a server, and in the first rendering of a page that it has rendered. */
const unknown: Session = { is: 'unknown' }

interface ProviderProps {
  portal: Portal
  /** `OpenFeature.getClient()`, for `useFlag`. */
  flags?: Flags
  children?: ReactNode
}

/** Gives the portal to the components below, and asks it who is signed in. */
export function PortalProvider({ portal, flags, children }: ProviderProps) {
  useEffect(() => {
    void portal.session.look()
  }, [portal])
  return createElement(Context.Provider, { value: { portal, flags } }, children)
}

function useContextOf(hook: string) {
  const context = useContext(Context)
  if (!context) throw new Error(`${hook} needs a <PortalProvider> around the component.`)
  return context
}

export const usePortal = (): Portal => useContextOf('usePortal').portal

/** Who is signed in, and whether anybody has asked yet. */
export function useSession(): Session {
  const { session } = useContextOf('useSession').portal
  return useSyncExternalStore(
    session.subscribe,
    () => session.value,
    () => unknown
  )
}

/** The signed-in user, null for nobody, and undefined until the portal has answered. */
export function useUser(): User | null | undefined {
  const session = useSession()
  return session.is === 'signed-in' ? session.user : session.is === 'unknown' ? undefined : null
}

/** Whether the user has a permission. The portal, or your service, decides again with each call. */
export const usePermission = (permission: string): boolean =>
  useUser()?.permissions.includes(permission as never) ?? false

// The names are those of the enumerations of @openfeature/web-sdk.
const changes = ['PROVIDER_READY', 'PROVIDER_CONFIGURATION_CHANGED', 'PROVIDER_ERROR']

/** The value of a flag for the signed-in user, or `fallback` until it is read. */
export function useFlag<T extends boolean | string | number>(
  key: string,
  fallback: T
): T extends boolean ? boolean : T extends string ? string : number {
  const { flags } = useContextOf('useFlag')
  if (!flags) throw new Error('useFlag needs <PortalProvider flags={OpenFeature.getClient()}>.')
  const value = useSyncExternalStore(
    (listener) => {
      for (const event of changes) flags.addHandler(event as never, listener)
      return () => {
        for (const event of changes) flags.removeHandler(event as never, listener)
      }
    },
    () =>
      typeof fallback === 'boolean'
        ? flags.getBooleanValue(key, fallback)
        : typeof fallback === 'string'
          ? flags.getStringValue(key, fallback)
          : flags.getNumberValue(key, fallback),
    () => fallback
  )
  return value as never
}

interface Children {
  children?: ReactNode
}

/** Shown to signed-in users only. */
export const SignedIn = ({ children }: Children): ReactNode => (useUser() ? children : null)

/** Shown when nobody is signed in: not before the portal has answered. */
export const SignedOut = ({ children }: Children): ReactNode =>
  useUser() === null ? children : null
