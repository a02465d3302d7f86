// The scripts that are recorded: drawn once, from a seed that stays.
import { drawFrom } from '../../../test/draw.ts'
import type { Act } from './client.ts'
import { drawScript } from './scripts.ts'

const SEED = 'samba-4.17.12'
const COUNT = 400

export function drawnScripts(): readonly (readonly Act[])[] {
  const draw = drawFrom(SEED)
  return Array.from({ length: COUNT }, () => drawScript(draw))
}
