// How large a run is: `BENCH_SCALE=0.1` tries a case out in a tenth of the time. Figures for the table are taken at 1.

const scale = Number(process.env['BENCH_SCALE'] ?? 1)
if (!(scale > 0 && scale <= 1)) throw new Error(`BENCH_SCALE must be above 0 and at most 1, not ${scale}.`)

/** A count or a time of a full run, at the scale of this one; never below `least`. */
export const sized = (full: number, least = 1): number => Math.max(least, Math.round(full * scale))

/** For a result's note: nothing at full size. */
export const scaleNote = scale === 1 ? '' : ` (at ${scale} of the full size)`
