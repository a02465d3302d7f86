// The title of a step that takes the place of the one before: it takes the focus, unless a field of the step has it.
import { useEffect, useRef } from 'react'

export function StepTitle({ title }: { readonly title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus()
  }, [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {title}
    </h2>
  )
}
