import type { ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Form } from '../shared/form.tsx'
import { say } from './say.ts'

/**
 * A form that stays on the page and confirms that it was saved. Its fields are then emptied or show
 * the saved values, unless the user has changed one in the meantime.
 */
export function SavingForm({
  onSubmit,
  done = say('saved'),
  ...form
}: ComponentProps<typeof Form> & { done?: string }) {
  const [count, setCount] = useState(0)
  const [isSaved, setSaved] = useState(false)
  const isChanged = useRef(false) // since the last submit
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isSaved && !isChanged.current) status.current?.focus()
  }, [isSaved])
  return (
    <>
      <Form
        key={count}
        {...form}
        onInput={() => {
          isChanged.current = true
        }}
        onSubmit={async (fields) => {
          setSaved(false)
          isChanged.current = false
          await onSubmit(fields)
          if (!isChanged.current) setCount(count + 1)
          setSaved(true)
        }}
      />
      <p ref={status} role="status" tabIndex={-1}>
        {isSaved && done}
      </p>
    </>
  )
}
