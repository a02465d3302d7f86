// The kernel that a Debian 12 machine runs: what `uname -r` prints.
import { draw, type Derive } from './draw.ts'

/** As fresh as the packages that the decoys claim. */
const RELEASES = [
  ['6.1.0-52', '6.1.180-1 (2026-08-03)'],
  ['6.1.0-53', '6.1.187-1 (2026-09-07)'],
  ['6.1.0-54', '6.1.190-1 (2026-10-16)'],
  ['6.1.0-55', '6.1.192-1 (2026-11-14)'],
  ['6.1.0-56', '6.1.192-2 (2026-11-16)'],
] as const

const release = (derive: Derive) => draw(derive, 'machine/kernel').pick(RELEASES)

export const linuxKernel = (derive: Derive): string => `${release(derive)[0]}-amd64`

/** What `uname -v` prints: the version of Debian's package, and the date of its changelog. */
export const kernelBuild = (derive: Derive): string => `#1 SMP PREEMPT_DYNAMIC Debian ${release(derive)[1]}`
