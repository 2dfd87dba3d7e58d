import './chips.css'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { ok, portal } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { loadRoles, nameOfRole } from '../roles/names.ts'
import { Offered } from './offered.tsx'
import type { Look } from './offered.tsx'
import { idOf, labelOfUser, lookForUsers } from './user-label.ts'

interface ChipsProps {
  label: string
  /** Its id and name. */
  place: string
  hint?: string
  values: readonly string[]
  onValues(values: string[]): void
  offer?: Look
  /** Splits what was typed or pasted: by default, keys do not contain spaces and commas. */
  separator?: RegExp
  /** The value that a text means; by default the text. */
  resolve?(text: string): Promise<string>
  /** Shows a value; by default as it is. */
  children?(value: string): ComponentChildren
}

/** How many are shown at first: each may need a request for its name. */
const most = 30

/** A field for many values, which are chosen by their names. */
export function Chips(props: ChipsProps) {
  const { label, place, hint, values, onValues, offer, resolve, children } = props
  const { separator = /[\s,]+/ } = props
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const latest = useRef(values)
  latest.current = values
  const set = (next: string[]) => {
    latest.current = [...new Set(next)]
    onValues([...latest.current])
  }
  const add = async (typed: string) => {
    const texts = typed
      .split(separator)
      .map((each) => each.trim())
      .filter((each) => each !== '')
    setText('')
    if (texts.length === 0) return
    // At once, so that nothing is lost when the next key saves the form.
    set([...latest.current, ...texts])
    for (const each of resolve ? texts : []) {
      const value = (await resolve?.(each)) ?? each
      if (value !== each) set(latest.current.map((other) => (other === each ? value : other)))
    }
  }
  const remove = (value: string) => set(latest.current.filter((each) => each !== value))
  const shown = isWhole ? values : values.slice(0, most)
  return (
    <div class="chips">
      <Offered
        label={label}
        id={place}
        name={place}
        {...(hint !== undefined && { hint })}
        value={text}
        look={offer}
        maxLength={256}
        spellcheck={false}
        onValue={setText}
        onChosen={(value) => {
          void add(value)
        }}
        onBlur={({ currentTarget: { value } }) => {
          void add(value)
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text') ?? ''
          if (!pasted.includes('\n')) return
          event.preventDefault()
          void add(pasted)
        }}
        onKeyDown={(event) => {
          const typed = event.currentTarget.value
          if (event.key === 'Enter' && typed !== '') {
            event.preventDefault()
            void add(typed)
          }
          const last = values.at(-1)
          if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
        }}
      />
      {shown.length > 0 && (
        <ul aria-label={label}>
          {shown.map((value) => (
            <li key={value} class="chip">
              {children?.(value) ?? value}
              <button type="button" class="plain" onClick={() => remove(value)}>
                <span aria-hidden="true">×</span>
                <span class="unseen">Remove {value}</span>
              </button>
            </li>
          ))}
          {shown.length < values.length && (
            <li>
              <button type="button" class="plain" onClick={() => setWhole(true)}>
                {values.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

type Values = Omit<ChipsProps, 'offer' | 'separator' | 'resolve' | 'children'>

/** Roles or segments by their keys and names. */
export const KeyChips = ({ kind, ...props }: Values & { kind: 'roles' | 'segments' }) => (
  <Chips
    {...props}
    offer={async (q, signal) => {
      if (kind === 'roles') {
        const roles = (await loadRoles(signal)) ?? []
        return roles.map(({ key, name }) => ({ text: key, name }))
      }
      const query = { limit: 20, ...(q !== '' && { q }) }
      const { items } = await ok(portal.GET('/api/admin/segments', { params: { query }, signal }))
      return items.map(({ key, description }) => ({ text: key, name: description }))
    }}
  >
    {(key) => (kind === 'roles' ? <span title={key}>{nameOfRole(key)}</span> : key)}
  </Chips>
)

/** Users by name or address, and keys of callers whom the portal does not know. */
export const People = (props: Values) => (
  <Chips
    {...props}
    separator={/\n/}
    offer={lookForUsers}
    resolve={async (text) => (await idOf(text, true)).id ?? text}
  >
    {(value) => <Person value={value} />}
  </Chips>
)

function Person({ value }: { value: string }) {
  const { value: user, isLoading } = useLoaded(['label of user', value], (signal) =>
    labelOfUser(value, signal)
  )
  if (user) return <span title={user.email}>{user.name}</span>
  return (
    <>
      <code>{value}</code> {!isLoading && <small>external key</small>}
    </>
  )
}
