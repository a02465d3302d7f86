// Single letters as keys: somebody who speaks to the machine, or types by mistake, may switch them off (WCAG 2.1.4).
import { useLayoutEffect } from 'react'

const KEY = 'rookery.keys'

export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function switchKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is switched off: the keys stay on.
  }
}

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly defaultPrevented: boolean
  readonly target: EventTarget | null
}

const WITH_ESCAPE =
  'input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="dialog"] *, [role="menu"] *'
const OWN_KEYS = `${WITH_ESCAPE}, input, button, a, summary`

/** Whether a key is meant for the page, and not for a field, a button or a dialog. */
export const isForPage = ({ key, ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyPress): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !defaultPrevented &&
  !(target instanceof Element && target.matches(key === 'Escape' ? WITH_ESCAPE : OWN_KEYS))

/** A letter or sign alone: what may be switched off. */
export const isLetter = ({ key }: Pick<KeyPress, 'key'>): boolean => key.length === 1 && key !== ' '

/** Keys of the whole page: what had the focus may have gone. Set with what is drawn: a key acts on what one sees. */
export function usePageKeys(onKey: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}
