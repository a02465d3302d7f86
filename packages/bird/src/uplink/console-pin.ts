// Which console the Bird trusts: the one whose key its enrolment code names, or else the first one that it meets.
import { Fault } from '@rookery/kernel/fault.ts'
import { parseEnrolment, type EnrolmentCode } from '@rookery/link/enrolment.ts'
import { shortKeyHash } from '@rookery/link/pairing.ts'
import type { StateFile } from '../state-file.ts'

/** Reads the enrolment code, if there is one: a `bad-input` fault for a typo, `conflict` when another console is pinned. */
export function consolePin(consoleUrl: string, directory: string, stateFile: StateFile, enrol?: string) {
  let code: EnrolmentCode | undefined = enrol === undefined ? undefined : parseEnrolment(enrol)
  const pinned = (): string | undefined => {
    const { consoleKey } = stateFile.values
    return consoleKey ? shortKeyHash(Buffer.from(consoleKey, 'hex')) : code?.consoleKeyHash
  }
  if (code && pinned() !== code.consoleKeyHash) {
    throw new Fault(
      'conflict',
      `The enrolment code is of the console with the key ${code.consoleKeyHash}, but the Bird in ${directory} belongs to the console with the key ${pinned()}. Use a new data directory to make a new Bird.`,
    )
  }
  return {
    /** Undefined when the key is the pinned one, or none is pinned yet; else what is wrong and what to do. */
    verify(consoleKey: Buffer): string | undefined {
      const shown = shortKeyHash(consoleKey)
      const expected = pinned()
      if (expected === undefined || shown === expected) return undefined
      const found = `The console at ${consoleUrl} has the key ${shown}, but`
      if (stateFile.values.consoleKey === undefined)
        return `${found} the enrolment code is of the console with the key ${expected}. Make a code at this console, or name the other console's address.`
      return (
        `${found} this Bird is pinned to ${expected}. ` +
        `If that console was installed again, remove ${directory}/memory.json and start the Bird again; if not, another machine answers at its address.`
      )
    },
    /** From now on only this key is accepted. */
    pin(consoleKey: Buffer) {
      const hex = consoleKey.toString('hex')
      if (stateFile.values.consoleKey !== hex) stateFile.update({ consoleKey: hex })
    },
    /** Hex of the enrolment code's secret, until the console has refused it. */
    enrolSecret: (): string | undefined => code?.secret,
    dropEnrolment() {
      code = undefined
    },
  }
}

export type ConsolePin = ReturnType<typeof consolePin>
