import './search.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { useDebounced } from '../../shared/debounced.ts'
import { counted } from '../grouped.ts'
import { addressOf } from '../list/address.ts'
import { isId } from '../list/user-label.ts'
import { may, mayWrite } from '../may.ts'
import { Icon } from '../shell/icons.tsx'
import { views } from '../views.ts'
import { kinds, ranked, recent } from './found.ts'
import type { Found } from './found.ts'

const isMac = /^(Mac|iP)/.test(navigator.platform)

/** A button that opens the search, and Ctrl K. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  // Listens before the page is painted, so that no key is lost.
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault() // browsers have something else there
      // A dialog is over the page, and would be over the search.
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <button type="button" class="outline open-search" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span>Search</span>
        <kbd aria-hidden="true">{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}

function Palette({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const asked = useDebounced(typed.trim())
  // Its path: it stays chosen when more results arrive.
  const [path, setPath] = useState('')
  // Whether Enter was pressed before the results of what was typed had arrived.
  const [isDue, setDue] = useState(false)
  const { items, error, isLoading } = useFound(asked)
  const groups = [...new Set(items.map(({ group }) => group))]
  const chosen = Math.max(
    0,
    items.findIndex((item) => item.path === path)
  )
  const isSettled = typed.trim() === asked && !isLoading
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close() // gives the focus back
  }, [])
  const open = (found: Found | undefined) => {
    if (!found) return
    onClose()
    navigate(found.path === '/' ? '~/console' : found.path)
  }
  useEffect(() => {
    if (!isDue || !isSettled) return
    setDue(false)
    open(items[chosen])
  })
  const move = (by: number) =>
    setPath(items[(chosen + by + items.length) % items.length]?.path ?? '')
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => (isSettled ? open(items[chosen]) : setDue(true))
  }
  return (
    <dialog
      ref={dialog}
      class="search"
      aria-label="Search"
      closedby="any"
      onClose={() => dialog.current && onClose()}
    >
      <input
        type="text" // Escape would only empty a search
        role="combobox"
        aria-label="Search for people, flags, roles, services, views, ids and network addresses"
        aria-expanded={items.length > 0}
        aria-controls="found"
        aria-activedescendant={items[chosen] && `found-${chosen}`}
        autocomplete="off"
        placeholder="People, flags, roles, services, views, ids, addresses"
        maxLength={254}
        autofocus
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          setPath('')
        }}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act || event.isComposing) return
          event.preventDefault()
          act()
        }}
      />
      {error !== undefined && <ProblemNotice error={error} />}
      <div id="found" role="listbox" aria-label="Results">
        {groups.map((title) => (
          <ul key={title} role="group" aria-label={title}>
            <li class="kind" aria-hidden="true">
              {title}
            </li>
            {items.map(
              (found, index) =>
                found.group === title && (
                  <Result
                    key={found.path}
                    found={found}
                    index={index}
                    isChosen={index === chosen}
                    onOpen={() => open(found)}
                  />
                )
            )}
          </ul>
        ))}
      </div>
      <p role="status" class={items.length > 0 ? 'unseen' : 'muted'}>
        {isSettled &&
          (items.length === 0 ? `Nothing is called “${asked}”.` : counted(items.length, 'result'))}
      </p>
    </dialog>
  )
}

interface ResultProps {
  found: Found
  index: number
  isChosen: boolean
  onOpen(): void
}

function Result({ found, index, isChosen, onOpen }: ResultProps) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={line} id={`found-${index}`} role="option" aria-selected={isChosen} onClick={onOpen}>
      <Icon name={found.kind === 'view' ? found.title.toLowerCase() : `${found.kind}s`} />
      <span class="name">
        {found.title} {found.detail !== undefined && <small>{found.detail}</small>}
      </span>
    </li>
  )
}

/** Asks the portal for one kind, of which the best matches are shown. */
async function search(
  kind: 'user' | 'role' | 'service' | 'flag' | 'segment',
  q: string,
  signal: AbortSignal
): Promise<Found[]> {
  if (q === '' || !may(`${kind === 'segment' ? 'flag' : kind}s:read`)) return []
  const params = { query: { q, limit: 50 } }
  const { items } = await ok(portal.GET(`/api/admin/${kind}s`, { params, signal }))
  return items.map((each: Listed) => {
    const key = 'email' in each ? each.id : each.key
    const detail = 'email' in each ? each.email : 'name' in each ? each.key : each.description
    return { kind, path: `/${kind}s/${key}`, title: 'name' in each ? each.name : key, detail }
  })
}

type Listed =
  | Pick<Schemas['User'], 'id' | 'name' | 'email'>
  | Pick<Schemas['Role'], 'key' | 'name'>
  | Pick<Schemas['Segment'], 'key' | 'description'>

const places = (): Found[] =>
  views
    .filter(({ group, permission }) => group && may(permission))
    .map(({ path, title }) => ({ kind: 'view', path, title }))

const actions = (): Found[] =>
  views
    .filter(({ title, permission }) => title.startsWith('New ') && may(permission) && mayWrite())
    .map(({ path, title }) => ({ kind: 'action', path, title: title.replace('New', 'Create a') }))

const isAddress = (text: string) => /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i.test(text)

/** Records of an id or a network address that was pasted. */
function recordsOf(q: string): Found[] {
  if (!may('activity:read')) return []
  const record = (name: string, title: string): Found => ({
    kind: 'action',
    path: addressOf('/activity', { [name]: q }),
    title: `${title} ${q}`
  })
  if (isAddress(q)) return [record('ip', 'Activity from')]
  if (!isId(q)) return []
  return [
    record('sessionId', 'Activity in the session'),
    record('requestId', 'Activity in the request')
  ]
}

const searched = ['user', 'role', 'service', 'flag', 'segment'] as const

/** Returns what a query finds; without one, what was opened last and the views. */
function useFound(q: string) {
  const loads = searched.map((kind) =>
    useLoaded(['search', kind, q], (signal) => search(kind, q, signal))
  )
  // Results of what was typed before must match what is typed now.
  const valuesOf = (isOld: boolean) =>
    loads.filter((load) => load.isOld === isOld).flatMap(({ value = [] }) => value)
  const last = recent()
  const paths = last.map(({ path }) => path)
  const items =
    q === ''
      ? [
          ...last.map((each) => ({ ...each, group: 'Recent' })),
          ...places()
            .filter(({ path }) => !paths.includes(path))
            .map((each) => ({ ...each, group: kinds.view }))
        ]
      : ranked(
          q,
          {
            found: [...valuesOf(false), ...recordsOf(q)],
            offered: [...valuesOf(true), ...places(), ...actions()]
          },
          paths
        ).map((each) => ({ ...each, group: kinds[each.kind] }))
  return {
    items,
    error: loads.find(({ error }) => error !== undefined)?.error,
    isLoading: loads.some(({ isLoading }) => isLoading)
  }
}
