import { randomInt } from 'node:crypto'

/** Of decoy ports, so that all lie below the ephemeral ports. */
export const freeOffset = (): number => randomInt(9_000, 25_000)
