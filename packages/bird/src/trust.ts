// Which console this Bird believes: the one whose key it was given by an enrolment code, or met first.
import { Fault } from '@rookery/kernel/fault.ts'
import { parseEnrolment, type EnrolmentCode } from '@rookery/link/enrolment.ts'
import { shortKeyHash } from '@rookery/link/pairing.ts'
import type { Remembered } from './memory.ts'

export interface Trust {
  /** `undefined` when the key is the pinned one, or none is pinned yet; else what is wrong and what to do. */
  judge(consoleKey: Buffer): string | undefined
  pin(consoleKey: Buffer): void
  enrolSecret(): string | undefined
  dropEnrolment(): void
}

/** Reads the enrolment code, if any; a `bad-input` fault when it has a typo, `conflict` when it is another console's than the pinned one. */
export function trust(consoleUrl: string, directory: string, memory: Remembered, enrol?: string): Trust {
  let code: EnrolmentCode | undefined = enrol === undefined ? undefined : parseEnrolment(enrol)
  const pinned = (): string | undefined =>
    memory.is.consoleKey ? shortKeyHash(Buffer.from(memory.is.consoleKey, 'hex')) : code?.consoleKeyHash
  if (code && pinned() !== code.consoleKeyHash) {
    throw new Fault(
      'conflict',
      `The enrolment code is of the console with key ${code.consoleKeyHash}, but the Bird in ${directory} belongs to the one with key ${pinned()}. Use a new data directory to make a new Bird.`,
    )
  }
  return {
    judge(consoleKey) {
      const shown = shortKeyHash(consoleKey)
      const expected = pinned()
      if (expected === undefined || shown === expected) return undefined
      return (
        `The console at ${consoleUrl} has the key ${shown}, but this Bird is pinned to ${expected}. ` +
        `If that console was really set up anew, remove ${directory}/memory.json and start the Bird again; if not, somebody stands between.`
      )
    },
    pin(consoleKey) {
      const hex = consoleKey.toString('hex')
      if (memory.is.consoleKey !== hex) memory.remember({ consoleKey: hex })
    },
    enrolSecret: () => code?.secret,
    dropEnrolment() {
      code = undefined
    },
  }
}
