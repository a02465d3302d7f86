// The heading of a page. It takes the focus when the page opens, so that a screen reader announces the change.
import { useEffect, useRef, type ReactNode } from 'react'
import { words } from '../words/en.ts'

interface PageHeadingProps {
  readonly title: string
  /** What the thing of this page is one of, as its list is titled: a tab shows it behind the name. */
  readonly of?: string
  readonly children?: ReactNode
}

export function PageHeading({ title, of, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = [title, of, words.product].filter(Boolean).join(' · ')
    // A page whose first field has the focus already keeps it there.
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus({ preventScroll: true })
  }, [title, of])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  )
}
