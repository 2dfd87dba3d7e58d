import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { hasSessionEnded } from './client.ts'
import { Action } from './form.tsx'
import { ProblemNotice } from './problem.tsx'
import { say } from './say.ts'

interface Loading<T> {
  /** Of the last successful load: it stays while the next one is under way. */
  value?: T
  error?: unknown
  isLoading: boolean
  reload(): Promise<void>
}

/** Loads when the page is shown, when the key changes, and after the user has signed in again. */
export function useLoaded<T>(load: () => Promise<T>, key: unknown = ''): Loading<T> {
  const [state, setState] = useState<Omit<Loading<T>, 'reload'>>({ isLoading: true })
  const [latest] = useState({ turn: 0 })
  const reload = async () => {
    const turn = ++latest.turn
    setState(({ value }) => ({ ...(value !== undefined && { value }), isLoading: true }))
    const next = await load().then(
      (value) => ({ value, isLoading: false }),
      (error: unknown) => ({ error, isLoading: false })
    )
    // An answer that another load has overtaken is not shown.
    if (turn === latest.turn) setState(next)
  }
  useEffect(() => {
    void reload()
  }, [JSON.stringify(key), hasSessionEnded.value])
  return { ...state, reload }
}

/** Shows what was loaded, or that it is being loaded, or why it cannot be. */
export function Loaded<T>({
  from: { value, error, isLoading, reload },
  children
}: {
  from: Loading<T>
  children(value: T): ComponentChildren
}) {
  if (error !== undefined) {
    return (
      <ProblemNotice error={error}>
        <Action label={say('try-again')} kind="outline" onPress={reload} />
      </ProblemNotice>
    )
  }
  if (value === undefined) return <p aria-busy="true">{say('loading')}</p>
  return <div aria-busy={isLoading}>{children(value)}</div>
}
