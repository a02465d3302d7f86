// A box whose text narrows a list that stands in the address.
import { useEffect, useRef, useState } from 'react'
import css from './text-filter.module.css'

/** The list follows what is typed, but not each letter. */
const TYPING_MS = 250

interface TextFilterProps {
  readonly text: string
  readonly label: string
  readonly hint: string
  readonly onChange: (text: string) => void
}

export function TextFilter({ text, label, hint, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  useEffect(() => {
    // The address changed by other means: back, a link, Clear filter.
    if (text !== sent.current) {
      sent.current = text
      setTyped(text)
    }
  }, [text])
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed
      onChange(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, onChange])
  return (
    <input
      data-filter
      type="search"
      className={css['filter']}
      aria-label={label}
      placeholder={hint}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed === '') event.currentTarget.blur()
      }}
    />
  )
}
