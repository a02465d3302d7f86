// How decoys share the event loop: what floods one of them does not hold up the visitors of another.

/** What a decoy may take of a turn of the event loop; what is left of its bytes waits for the next one. */
const SHARE_MS = 0.25

export interface SharesDeps {
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn: (run: () => void) => void
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
}

interface Share {
  takenMs: number
  readonly waiting: (() => void)[]
}

export function openShares({ nextTurn, now }: SharesDeps) {
  const shares = new Map<string, Share>()
  let isScheduled = false

  function shareOf(decoy: string): Share {
    const known = shares.get(decoy)
    if (known) return known
    const share: Share = { takenMs: 0, waiting: [] }
    shares.set(decoy, share)
    return share
  }

  function use(share: Share, act: () => void): void {
    const startedAt = now()
    try {
      act()
    } finally {
      share.takenMs += now() - startedAt
    }
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    nextTurn(turn)
  }

  /** What is taken now counts until the next one. */
  function turn(): void {
    isScheduled = false
    for (const share of shares.values()) share.takenMs = 0
    try {
      for (const share of shares.values())
        while (share.waiting.length > 0 && share.takenMs < SHARE_MS) use(share, share.waiting.shift()!)
    } finally {
      if ([...shares.values()].some(({ takenMs, waiting }) => takenMs > 0 || waiting.length > 0)) schedule()
    }
  }

  return {
    /** Calls `act` at once, or in a later turn if the decoy has had its share of this one; acts of a decoy keep their order. */
    take(decoy: string, act: () => void) {
      const share = shareOf(decoy)
      schedule()
      if (share.waiting.length > 0 || share.takenMs >= SHARE_MS) share.waiting.push(act)
      else use(share, act)
    },
  }
}

export type Shares = ReturnType<typeof openShares>
