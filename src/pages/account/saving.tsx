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
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (count > 0) status.current?.focus()
  }, [count])
  return (
    <>
      <Form
        key={count}
        {...form}
        onSubmit={async (fields) => {
          await onSubmit(fields)
          setCount(count + 1)
        }}
      />
      <p ref={status} role="status" tabIndex={-1}>
        {count > 0 && done}
      </p>
    </>
  )
}
