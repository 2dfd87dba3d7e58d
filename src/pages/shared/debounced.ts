import { useEffect, useState } from 'preact/hooks'

/** A value that changes once another one has not changed for a while: what to search for. */
export function useDebounced<T>(value: T, milliseconds = 150): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
