// What was just done, with Undo for ten seconds. One at a time: the newest replaces the one before.
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './toast.module.css'

export interface Toast {
  readonly text: string
  readonly action?: { readonly label: string; readonly shortcut?: string; readonly run: () => void }
}

const SHOWN_MS = 10_000
const Say = createContext<(toast: Toast) => void>(() => undefined)

export const useToast = (): ((toast: Toast) => void) => use(Say)

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<(Toast & { readonly id: number }) | undefined>()
  const say = useCallback(
    (toast: Toast) => setShown((before) => ({ ...toast, id: (before?.id ?? 0) + 1 })),
    [],
  )
  const id = shown?.id
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  const toast = useMemo(
    () =>
      shown && (
        <div className={css['toast']}>
          <span>{shown.text}</span>
          {shown.action && (
            <Button
              look="quiet"
              {...(shown.action.shortcut && { shortcut: shown.action.shortcut })}
              onClick={() => {
                setShown(undefined)
                shown.action?.run()
              }}
            >
              {shown.action.label}
            </Button>
          )}
        </div>
      ),
    [shown],
  )
  return (
    <Say value={say}>
      {children}
      <div role="status" className={css['place']}>
        {toast}
      </div>
    </Say>
  )
}
