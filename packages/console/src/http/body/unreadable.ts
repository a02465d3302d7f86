// The fault for a body that cannot be read.
import { Fault } from '@rookery/kernel/fault.ts'

/** `why` follows on "the body": `is not JSON`. */
export const unreadable = (why: string): Fault =>
  new Fault('bad-input', 'Could not process the parameters', { details: { body: why } })
