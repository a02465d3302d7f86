// Another proof of oneself, which any call may ask for: the shell shows a dialog, and the call goes on once it is given.
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** The shell says how to ask; answers how to stop. */
export function onStepUp(how: Ask): () => void {
  ask = how
  return () => {
    if (ask === how) ask = undefined
  }
}

/** Whether the proof was given. Calls that ask at once share one dialog. */
export function stepUp(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined))
  return asking
}
