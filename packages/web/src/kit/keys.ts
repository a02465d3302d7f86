// Single letters as keys: somebody who speaks to the machine, or types by mistake, may switch them off (WCAG 2.1.4).
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

const OWN_KEYS = 'input, textarea, select, button, a, summary, [role="dialog"] *, [role="menu"] *'

/** Whether a key is meant for the page, and not for a field, a button or a dialog. */
export const isForPage = ({ ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyPress): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !defaultPrevented &&
  !(target instanceof Element && target.matches(OWN_KEYS))

/** A letter or sign alone: what may be switched off. */
export const isLetter = ({ key }: Pick<KeyPress, 'key'>): boolean => key.length === 1 && key !== ' '
