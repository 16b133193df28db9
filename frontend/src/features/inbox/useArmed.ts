import { useEffect, useState } from 'react'

/** Milliseconds before what appeared can be approved, so that a key meant for something else approves nothing. */
const ARM_AFTER = 500

/** Whether approving is possible: not right after the content, named by its key, appeared or changed. */
export function useArmed(content: string): boolean {
  const [armed, setArmed] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setArmed(content), ARM_AFTER)
    return () => clearTimeout(timer)
  }, [content])
  return armed === content
}
