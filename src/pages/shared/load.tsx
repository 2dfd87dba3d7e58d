import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Action } from './form.tsx'
import { ProblemNotice } from './problem.tsx'
import { say } from './say.ts'
import { hasSessionEnded } from './user.ts'

interface Loading<T> {
  /** The result of the last successful load: it stays while the next one is under way. */
  value?: T
  error?: unknown
  isLoading: boolean
  reload(): Promise<void>
  /** Shows this value, such as the response to a change, in place of what was loaded. */
  replace(value: T): void
}

/**
 * Loads when the view is shown, when the key changes, and after the user has signed in again. A new
 * key is for other filters of the same list: what was loaded before stays until then.
 */
export function useLoaded<T>(load: () => Promise<T>, key: unknown = ''): Loading<T> {
  const [state, setState] = useState<Omit<Loading<T>, 'reload' | 'replace'>>({ isLoading: true })
  const latest = useRef(0)
  const reload = async () => {
    const turn = ++latest.current
    setState((before) => ({ ...without(before), isLoading: true }))
    const next = await load().then(
      (value) => ({ value, isLoading: false }),
      (error: unknown) => ({ error, isLoading: false })
    )
    // A response is not shown if a later load has overtaken it.
    if (turn === latest.current) setState((before) => ({ ...without(before), ...next }))
  }
  const replace = (value: T) => {
    latest.current++ // overtakes a load that is under way
    setState({ value, isLoading: false })
  }
  useEffect(() => {
    // Without a session, a load would only replace what is shown with a refusal.
    if (!hasSessionEnded.value) void reload()
  }, [JSON.stringify(key), hasSessionEnded.value])
  return { ...state, reload, replace }
}

const without = ({ error: _, ...state }: { error?: unknown }) => state

/** Shows what was loaded, or that it is being loaded, or why it cannot be. */
export function Loaded<T>({
  from,
  children
}: {
  from: Loading<T>
  children(value: T): ComponentChildren
}) {
  const { error, isLoading, reload } = from
  const isLoaded = 'value' in from // also when it is undefined
  return (
    <>
      {error !== undefined && (
        <ProblemNotice error={error}>
          <Action label={say('try-again')} kind="outline" onPress={reload} />
        </ProblemNotice>
      )}
      {isLoaded && <div aria-busy={isLoading}>{children(from.value as T)}</div>}
      {!isLoaded && isLoading && <p aria-busy="true">{say('loading')}</p>}
    </>
  )
}
