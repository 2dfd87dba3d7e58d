import type { ComponentProps } from 'preact'
import { useId } from 'preact/hooks'
import { Field } from '../../shared/controls.tsx'
import { useDebounced } from '../../shared/debounced.ts'
import { useLoaded } from '../../shared/load.tsx'

/** A value that is offered: the text that chooses it, and what else it is called. */
interface Offer {
  text: string
  name?: string
}

/** Looks up values for a text, which may be empty. */
export type Look = (text: string, signal: AbortSignal) => Promise<readonly Offer[]>

interface OfferedProps extends Omit<ComponentProps<typeof Field>, 'list' | 'onInput'> {
  value: string
  look?: Look | undefined
  onValue(text: string): void
  /** One of the offers was chosen. */
  onChosen?(text: string): void
}

/** A field that offers values for what is typed. */
export function Offered({ look, onValue, onChosen, ...field }: OfferedProps) {
  const list = useId()
  const asked = useDebounced(field.value.trim())
  const offers = useLoaded(['offers', field.label, asked], async (signal) => look?.(asked, signal))
  return (
    <>
      <Field
        {...field}
        list={list}
        onInput={({ inputType, currentTarget: { value } }) => {
          onValue(value)
          if (inputType === 'insertReplacementText') onChosen?.(value)
        }}
      />
      <datalist id={list}>
        {offers.value?.map(({ text, name }) => (
          <option key={text} value={text}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
