import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { paths } from '../../../openapi/api.d.ts'
import { ok, portal, RejectedCall } from './client.ts'
import { Action } from './form.tsx'
import { mistakesOf, ProblemNotice } from './problem.tsx'
import { say } from './say.ts'
import { hasSessionEnded } from './session.ts'
import { formatTime } from './time-format.ts'
import { createCache } from './cache.ts'
import type { State, Load } from './cache.ts'

const cache = createCache()

/** Loads everything again that the page shows from the API. Call it after a change. */
export const reloadAll = () => cache.reloadAll('["/api/')

/** Ends a task: many short ones keep a page responsive on a slow device. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** False in the first task of a component, if the page is hidden until all of it is there. */
export function useNextTask() {
  const [isNext, setNext] = useState(!document.body.hidden)
  useLayoutEffect(() => {
    if (!isNext) void nextTask().then(() => setNext(true))
  }, [])
  return isNext
}

/**
 * Hides the page until what it loads first is there, or for 300 milliseconds: a page that shows
 * that it loads is laid out and painted twice.
 */
export async function revealWhenLoaded() {
  document.body.hidden = true
  const patience = new Promise((resolve) => setTimeout(resolve, 300))
  // The page is then rendered in tasks of its parts, and has sent its requests.
  await nextTask()
  await nextTask()
  formatTime('1970-01-01') // the first time takes long: meanwhile, the portal responds
  await nextTask()
  await Promise.race([patience, cache.settled()])
  document.body.hidden = false
  // A hidden element cannot get the focus, such as a dialog that the address opens.
  const find = (selector: string) => document.querySelector<HTMLElement>(selector)
  ;(find('dialog[open] :is(input, button)') ?? find('main h1'))?.focus({ preventScroll: true })
}

export interface Loading<T> extends State<T> {
  /** Whether the value is that of the previous key, until that of this one is loaded. */
  isOld: boolean
  reload(): Promise<void>
  /** Shows this value, such as the response to a change, in place of what was loaded. */
  replace(value: T): void
}

/**
 * The result of a function. Shows the one that was loaded for this key before, and loads it again
 * when the view is shown, when the key changes, and after the user has signed in again.
 * @param key the same wherever the same is loaded. While another key is loaded, such as that of
 *   other filters, the value of the last one stays.
 */
export function useLoaded<T>(key: unknown, load: Load<T>): Loading<T> {
  const entry = cache.entryOf<T>(JSON.stringify(key))
  const state = entry.state.value
  const shown = useRef<State<T>>(state)
  if ('value' in state) shown.current = state
  // The portal responds while the rest of the view is rendered.
  if (!entry.hasStarted && !hasSessionEnded.peek()) void entry.load(load)
  useLayoutEffect(() => entry.subscribe(), [entry])
  useLayoutEffect(() => {
    // Without a session, a load would only replace what is shown with a refusal.
    if (!hasSessionEnded.value) void entry.load(load)
  }, [entry, hasSessionEnded.value])
  const isOld = !('value' in state) && 'value' in shown.current
  return {
    ...(isOld ? { ...shown.current, isLoading: state.isLoading } : state),
    ...('error' in state && { error: state.error }),
    isOld,
    reload: () => entry.reload(load),
    replace: entry.replace
  }
}

export type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Data } } } }
}
  ? Data
  : never

export type Readable = {
  [Path in keyof paths]: [Body<Path>] extends [never] ? never : Path
}[keyof paths]

/** The parameters in a path, and those of the query. */
export type ParametersOf<Path extends Readable> = Pick<
  NonNullable<paths[Path]['get']>['parameters'],
  'path' | 'query'
>

type Plain = {
  [Path in Readable]: paths[Path] extends { get: { parameters: { path?: never; query?: never } } }
    ? Path
    : never
}[Readable]

/** The response of the portal for a path with these parameters. */
export function useGet<Path extends Plain>(path: Path): Loading<Body<Path>>

export function useGet<Path extends Readable>(
  path: Path,
  params: ParametersOf<Path>
): Loading<Body<Path>>

export function useGet<Path extends Readable>(path: Path, params?: ParametersOf<Path>) {
  return useLoaded<Body<Path>>([path, params], (signal) =>
    // The compiler has checked them above, but does not follow while the path may be any.
    ok(portal.GET(path as never, { params, signal } as never))
  )
}

/** Whether nothing is at an address: also when a part of it cannot be an id or a key. */
export function isMissing(error: unknown) {
  if (!(error instanceof RejectedCall)) return false
  const { status, errors = [] } = error.problem
  return status === 404 || (errors[0]?.pointer.startsWith('/path/') ?? false)
}

interface LoadedProps<T> {
  from: Loading<T>
  children(value: T): ComponentChildren
  /** Shown if the portal responds with 404. */
  missing?: ComponentChildren
}

/** Shows what was loaded, or that it is being loaded, or why it cannot be. */
export function Loaded<T>({ from, children, missing }: LoadedProps<T>) {
  const { error, isLoading, isOld, reload } = from
  const isGone = isMissing(error)
  const isLoaded = 'value' in from // also when it is undefined
  return (
    <>
      {error !== undefined &&
        ((isGone && missing) || (
          <ProblemNotice error={error}>
            <Parameters error={error} />
            {!isGone && <Action label={say('try-again')} kind="outline" onPress={reload} />}
          </ProblemNotice>
        ))}
      {isLoaded && !isGone && (
        <div aria-busy={isLoading} class={isOld ? 'old' : undefined}>
          {children(from.value as T)}
        </div>
      )}
      {!isLoaded && isLoading && (
        <div class="skeleton" aria-busy="true">
          <p class="unseen">{say('loading')}</p>
        </div>
      )}
    </>
  )
}

/** Mistakes in parameters of the address, such as a filter, which no field shows. */
function Parameters({ error }: { error: unknown }) {
  const mistakes = Object.entries(mistakesOf(error))
  if (mistakes.length === 0) return null
  return (
    <ul>
      {mistakes.map(([name, text]) => (
        <li key={name}>
          <code>{name}</code>: {text}
        </li>
      ))}
    </ul>
  )
}
