// Opens the palette by Ctrl K or ⌘ K, also from a field, and by its button. Its code comes when it is first opened.
import { lazy, Suspense, useEffect, useState } from 'react'
import { words } from '../words/en.ts'
import css from './opener.module.css'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function PaletteOpener() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      if (event.ctrlKey === event.metaKey) return
      // A question that is open stays in front.
      if (!isOpen && document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      setOpen(!isOpen)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <>
      <button
        type="button"
        className={css['opener']}
        aria-label={words.palette.title}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <kbd>Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
