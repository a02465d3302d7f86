// The kernel that a Debian 12 machine runs: what `uname -r` prints.
import { draw, type Derive } from './draw.ts'

/** As fresh as the packages that the decoys claim. */
const RELEASES = ['6.1.0-52', '6.1.0-53', '6.1.0-54', '6.1.0-55', '6.1.0-56']

export const linuxKernel = (derive: Derive): string =>
  `${draw(derive, 'machine/kernel').pick(RELEASES)}-amd64`
