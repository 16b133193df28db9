import { useEffect, useState } from 'react'

/** A value once it has not changed for a while; equal values count as unchanged. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as T), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return rested
}
