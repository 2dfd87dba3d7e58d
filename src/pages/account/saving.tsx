import type { ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Form } from '../shared/form.tsx'
import { say } from './say.ts'

/** A form that stays after it was saved, with empty or saved fields, and says so. */
export function SavingForm({
  onSubmit,
  done = say('saved'),
  ...form
}: ComponentProps<typeof Form> & { done?: string }) {
  const [count, setCount] = useState(0)
  const [isSaved, setSaved] = useState(false)
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isSaved) status.current?.focus()
  }, [isSaved])
  return (
    <>
      <Form
        key={count}
        {...form}
        onSubmit={async (fields) => {
          setSaved(false)
          await onSubmit(fields)
          setCount(count + 1)
          setSaved(true)
        }}
      />
      <p ref={status} role="status" tabIndex={-1}>
        {isSaved && done}
      </p>
    </>
  )
}
