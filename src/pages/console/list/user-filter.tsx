import { useEffect, useRef, useState } from 'preact/hooks'
import { WithMistakes } from '../../shared/controls.tsx'
import { useLoaded } from '../../shared/load.tsx'
import { may } from '../may.ts'
import { Offered } from './offered.tsx'
import { idOf, labelOfUser, lookForUsers } from './user-label.ts'

interface UserFilterProps {
  label: string
  /** The parameter, whose value is a user id. */
  name: string
  value: string | undefined
  /** Whether it can name something else as well, by its key. */
  takesKeys?: boolean
}

/** A filter for a user, whom people know by name or address, and the portal by an id. */
export function UserFilter({ label, name, value, takesKeys = false }: UserFilterProps) {
  const hidden = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState<string>()
  const chosen = useLoaded(['label of user', value], (signal) => labelOfUser(value, signal))
  const shown = value === undefined ? '' : (chosen.value?.email ?? value)
  useEffect(() => {
    setText(shown)
    setMistake(undefined)
  }, [shown])
  const choose = async (typed: string) => {
    if (typed === shown) return setMistake(undefined)
    const found = await idOf(typed, takesKeys)
    setMistake(found.mistake)
    if (found.id === undefined || !hidden.current) return
    hidden.current.value = found.id
    hidden.current.form?.requestSubmit()
  }
  const known = may('users:read') ? 'Name, address' : 'Id'
  return (
    <div>
      <WithMistakes mistakes={mistake === undefined ? {} : { '': mistake }}>
        <Offered
          label={label}
          name="" // only the id is a filter
          type="search"
          value={text}
          look={lookForUsers}
          maxLength={254}
          placeholder={takesKeys ? 'Name or key' : known.replace(',', ' or')}
          onValue={setText}
          onChosen={(value) => {
            void choose(value)
          }}
          onChange={(event) => event.stopPropagation()} // until the id is known
          onBlur={({ currentTarget }) => {
            void choose(currentTarget.value.trim())
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void choose(event.currentTarget.value.trim())
          }}
        />
      </WithMistakes>
      <p class="unseen" role="alert">
        {mistake}
      </p>
      <input ref={hidden} type="hidden" name={name} />
    </div>
  )
}
