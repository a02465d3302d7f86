// The heading of a page. It takes the focus when the page opens, so that a screen reader announces the change.
import { useEffect, useRef, type ReactNode } from 'react'
import { words } from '../words/en.ts'

export function PageHeading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${words.product}`
    // A page whose first field has the focus already keeps it there.
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  )
}
