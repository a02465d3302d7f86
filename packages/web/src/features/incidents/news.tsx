// What came meanwhile, for those who do not look at the list: in the tab's title, and as a sentence for screen readers.
import { useEffect, useState } from 'react'
import { count, words } from '../../words/en.ts'

/** The tab says how much is open, also in the background. */
export function TabTitle({ open }: { readonly open: number | undefined }) {
  const [first] = useState(() => document.title)
  useEffect(() => {
    document.title = `${open ? `(${count(open)}) ` : ''}${words.inbox.title} · ${words.product}`
    return () => void (document.title = first)
  }, [open, first])
  return null
}

/** A screen reader hears of new rows at most so often. */
const QUIET_MS = 5_000

export function NewsForReaders({ waiting, entered }: { readonly waiting: number; readonly entered: number }) {
  const text =
    waiting > 0 ? words.inbox.waitingSaid(waiting) : entered > 0 ? words.inbox.enteredSaid(entered) : ''
  const [said, setSaid] = useState(text)
  useEffect(() => {
    if (text === said) return
    const timer = setTimeout(() => setSaid(text), said === '' ? 0 : QUIET_MS)
    return () => clearTimeout(timer)
  }, [text, said])
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  )
}
