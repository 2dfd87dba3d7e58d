import { useEffect, useRef, useState } from 'preact/hooks'

/**
 * What an action has done, for actions whose button may be gone afterwards: announced, and with the
 * focus. Show `status` where it stays, and call `report` last.
 */
export function useStatus() {
  const [done, setDone] = useState({ text: '' })
  const paragraph = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (done.text !== '') paragraph.current?.focus()
  }, [done])
  return {
    status: (
      <p ref={paragraph} role="status" tabIndex={-1}>
        {done.text}
      </p>
    ),
    report: (text: string) => setDone({ text })
  }
}
