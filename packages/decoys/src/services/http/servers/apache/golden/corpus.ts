// The probes that Debian's Apache, serving the files of the skin `nas`, and our decoy answer alike.
export { probes } from '../../../golden/probes.ts'

export const concurrency = 8
