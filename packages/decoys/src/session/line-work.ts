// What one line of a stranger may cost, counted in units that are the same on every machine. Whatever looks at more bytes than
// its line has, or at them more than once, pays for it here: before it looks, or in portions while it does.

/** A unit takes 20 to 60 ns of a core: a statement of a script, a look-up, 16 bytes read on. A line has 10 to 40 ms of them; on a core that is four times as slow, 160. */
export const MAX_LINE_WORK = 500_000

/** Of a line whose peer is gone. */
export const MIN_LINE_WORK = 5_000

/** The line has had its work. The service that catches it answers as a server that is busy for long. */
export class TooMuchWork extends Error {}

export interface LineWork {
  readonly spent: number
  /** Throws `TooMuchWork` once too much is spent, at every further call, too. */
  readonly spend: (units: number) => void
}

export function lineWork(most = MAX_LINE_WORK): LineWork {
  let spent = 0
  return {
    get spent() {
      return spent
    },
    spend(units) {
      spent += units
      if (spent > most) throw new TooMuchWork(`the line costs more than ${most} units`)
    },
  }
}
