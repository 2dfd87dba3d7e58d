import './search.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { useDebounced } from '../../shared/debounced.ts'
import { counted } from '../grouped.ts'
import { may } from '../may.ts'
import { Icon } from '../shell/icons.tsx'
import { views } from '../views.ts'
import { ranked, recent } from './found.ts'
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
        aria-label="Search for users, roles, services, flags and views"
        aria-expanded={items.length > 0}
        aria-controls="found"
        aria-activedescendant={items[chosen] && `found-${chosen}`}
        autocomplete="off"
        placeholder="Users, roles, services, flags, views"
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
      <ul id="found" role="listbox" aria-label="Results">
        {items.map((found, index) => (
          <Result
            key={found.path}
            found={found}
            index={index}
            isChosen={index === chosen}
            onOpen={() => open(found)}
          />
        ))}
      </ul>
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
      <small>{capital(found.kind)}</small>
    </li>
  )
}

const users = async (q: string, signal: AbortSignal): Promise<Found[]> => {
  if (q === '' || !may('users:read')) return []
  const params = { query: { q, limit: 9 } }
  const { items } = await ok(portal.GET('/api/admin/users', { params, signal }))
  return items.map(({ id, name, email }) => ({
    kind: 'user',
    path: `/users/${id}`,
    title: name,
    detail: email
  }))
}

const query = { limit: 200 }

type Keyed = Pick<Schemas['Role'], 'key' | 'name'> | Pick<Schemas['Segment'], 'key' | 'description'>

/** Loads what has a key, with its name or its description. */
async function keyed(
  kind: 'role' | 'service' | 'flag' | 'segment',
  signal: AbortSignal
): Promise<Found[]> {
  if (!may(`${kind === 'segment' ? 'flag' : kind}s:read`)) return []
  const { items } = await ok(portal.GET(`/api/admin/${kind}s`, { params: { query }, signal }))
  return items.map((each: Keyed) => ({
    kind,
    path: `/${kind}s/${each.key}`,
    title: 'name' in each ? each.name : each.key,
    detail: 'name' in each ? each.key : each.description
  }))
}

const places = (): Found[] =>
  views
    .filter(({ group, permission }) => group && may(permission))
    .map(({ path, title }) => ({ kind: 'view', path, title }))

/** Returns what a query finds; without one, what was opened last and the views. */
function useFound(q: string) {
  const people = useLoaded(['search', 'users', q], (signal) => users(q, signal))
  const others = useLoaded(['search', 'roles and others'], async (signal) =>
    (
      await Promise.all([
        keyed('role', signal),
        keyed('service', signal),
        keyed('flag', signal),
        keyed('segment', signal)
      ])
    ).flat()
  )
  const last = recent()
  const all = [...(people.value ?? []), ...(others.value ?? []), ...places()]
  return {
    items:
      q === ''
        ? [...last, ...places().filter(({ path }) => !last.some((each) => each.path === path))]
        : ranked(
            q,
            all,
            last.map(({ path }) => path)
          ),
    error: people.error ?? others.error,
    isLoading: people.isLoading || others.isLoading
  }
}
