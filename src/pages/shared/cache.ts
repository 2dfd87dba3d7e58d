import { signal } from '@preact/signals'
import type { ReadonlySignal, Signal } from '@preact/signals'

export interface State<T> {
  /** The result of the last successful load: it stays while the next one is under way. */
  value?: T
  /** Why the last load failed. */
  error?: unknown
  isLoading: boolean
}

/** @param before the value that is kept, if there is one */
export type Load<T> = (stop: AbortSignal, before: T | undefined) => Promise<T>

/** The value of one key. A failure is in the state: no function rejects. */
interface Entry<T> {
  readonly state: ReadonlySignal<State<T>>
  readonly hasStarted: boolean
  /** Resolves at the end of the load that is under way. */
  readonly running: Promise<void> | undefined
  /** Loads, or waits for the load that is under way. */
  load(load: Load<T>): Promise<void>
  /** Starts a load that is under way again: something may have changed since. */
  reload(load?: Load<T>): Promise<void>
  /** Keeps this value, such as the response to a change. */
  replace(value: T): void
  /** Call it in a view that shows it, and the result when that is gone, which ends the load. */
  subscribe(): () => void
}

/** Loaded values by key, shared by all views that show them, and kept for the next ones. */
export function createCache(most = 100) {
  const entries = new Map<string, Entry<unknown> & { subscribers: number }>()

  function create(key: string): Entry<unknown> & { subscribers: number } {
    const state: Signal<State<unknown>> = signal({ isLoading: true })
    let latest: Load<unknown> | undefined
    let running: { stop: AbortController; done: Promise<void> } | undefined
    const keep = ({ error: _, ...before }: State<unknown>, changes: Partial<State<unknown>>) => {
      state.value = { ...before, isLoading: false, ...changes }
    }
    const stop = () => {
      running?.stop.abort()
      running = undefined
    }
    const run = async (load: Load<unknown>, { signal }: AbortController) => {
      if (!state.peek().isLoading) keep(state.value, { isLoading: true })
      const changes = await load(signal, state.value.value).then(
        (value) => ({ value }),
        (error: unknown) => ({ error })
      )
      // Neither the value nor the failure of a cancelled load counts.
      if (signal.aborted) return
      running = undefined
      keep(state.value, changes)
    }
    const reload = async (load = latest) => {
      if (!load) return
      stop()
      latest = load
      const next = new AbortController()
      running = { stop: next, done: run(load, next) }
      await running.done
    }
    const entry = {
      state,
      subscribers: 0,
      get hasStarted() {
        return latest !== undefined
      },
      get running() {
        return running?.done
      },
      load: (load: Load<unknown>) => running?.done ?? reload(load),
      reload,
      replace(value: unknown) {
        stop()
        keep(state.value, { value })
      },
      subscribe() {
        entry.subscribers++
        return () => {
          entry.subscribers--
          if (entry.subscribers > 0) return
          if (running) keep(state.value, { isLoading: !('value' in state.value) })
          stop()
          // It is now the one that was used last.
          entries.delete(key)
          entries.set(key, entry)
        }
      }
    }
    return entry
  }

  return {
    /** The entry of a key, the same for all who ask. */
    entryOf<T>(key: string): Entry<T> {
      const unused = [...entries].find(([, { subscribers }]) => subscribers === 0)
      if (!entries.has(key) && entries.size >= most && unused) entries.delete(unused[0])
      const entry = entries.get(key) ?? create(key)
      entries.set(key, entry)
      return entry as Entry<unknown> as Entry<T>
    },
    /** Resolves when nothing is being loaded, also of what was rendered with loaded values. */
    async settled(): Promise<void> {
      const running = [...entries.values()].flatMap((entry) => entry.running ?? [])
      if (running.length === 0) return
      await Promise.all(running)
      // The rendering is before it in this queue.
      await new Promise<void>((resolve) => queueMicrotask(resolve))
      return this.settled()
    },
    /** Loads everything again that is shown and whose key begins like this. */
    async reloadAll(start = '') {
      const shown = [...entries].filter(
        ([key, { subscribers }]) => subscribers > 0 && key.startsWith(start)
      )
      await Promise.all(shown.map(([, entry]) => entry.reload()))
    }
  }
}
