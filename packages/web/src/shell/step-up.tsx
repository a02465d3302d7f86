// Shows the dialog for another proof when a call asks for it.
import { lazy, Suspense, useEffect, useState } from 'react'
import { onStepUp } from '../session/step-up.ts'

const StepUpDialog = lazy(async () => ({
  default: (await import('../features/sessions/step-up-dialog.tsx')).StepUpDialog,
}))

export function StepUp() {
  const [end, setEnd] = useState<(isProven: boolean) => void>()
  useEffect(
    () =>
      onStepUp(
        () =>
          new Promise((resolve) => {
            setEnd(() => (isProven: boolean) => {
              setEnd(undefined)
              resolve(isProven)
            })
          }),
      ),
    [],
  )
  return (
    end && (
      <Suspense>
        <StepUpDialog onEnd={end} />
      </Suspense>
    )
  )
}
