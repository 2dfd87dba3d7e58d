import { useEffect, useState } from 'preact/hooks'

/** A value that follows another one, such as a search text, once that is stable. */
export function useDebounced<T>(value: T, milliseconds = 150): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
