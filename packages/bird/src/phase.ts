// The Bird's phase and what people see of it: the pairing phrase, the last error of the link.
import { pairingPhrase } from '@rookery/link/pairing.ts'
import type { BirdOptions, BirdState, EndPhase, Phase } from './options.ts'
import type { StateFile } from './state-file.ts'

export interface PhaseDeps {
  readonly options: Pick<BirdOptions, 'consoleUrl' | 'log'>
  readonly birdKey: Buffer
  readonly stateFile: StateFile
  readonly onChange: () => void
}

export function phaseTracker({ options, birdKey, stateFile, onChange }: PhaseDeps) {
  const { consoleUrl, log } = options
  let phase: Phase = 'connecting'
  let phrase: string | undefined
  let linkError: string | undefined
  let hasEnded = false

  async function showPhrase(): Promise<void> {
    const current = await pairingPhrase(birdKey, Buffer.from(stateFile.values.consoleKey ?? '', 'hex'))
    if (phase !== 'pending') return
    if (current !== phrase) {
      log(
        'info',
        `Waiting to be commissioned by ${consoleUrl}. Commission the Bird whose pending entry there shows the words: ${current}`,
      )
    }
    phrase = current
    onChange()
  }

  return {
    /** These parts of the Bird's state. */
    read: (): Pick<BirdState, 'phase' | 'pairingPhrase' | 'linkError'> => ({
      phase,
      pairingPhrase: phrase,
      linkError,
    }),
    /** The console has answered. A pending Bird shows its phrase before the phase changes for others. */
    enter(next: 'pending' | 'registered') {
      linkError = undefined
      phase = next
      if (next === 'pending') return void showPhrase()
      phrase = undefined
      onChange()
    },
    /** There is no session; the reason is logged unless it is the last one again. */
    disconnected(reason: string, isUntrusted: boolean) {
      if (reason !== linkError) log(isUntrusted ? 'error' : 'warning', `No link to the console: ${reason}`)
      linkError = reason
      if (hasEnded) return
      phase = isUntrusted ? 'refused' : 'connecting'
      onChange()
    },
    /** The last phase: `disconnected` changes it no more. */
    end(ending: EndPhase) {
      hasEnded = true
      phase = ending
      onChange()
    },
  }
}
