import { useEffect, useState } from 'preact/hooks'

/** A value that follows another one, such as a search text, once that is stable. */
export function useDebounced<T>(value: T, milliseconds = 150): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return debounced
}
