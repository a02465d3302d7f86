// Apache's time limits, as Debian sets them (mod_reqtimeout: header=20-40,MinRate=500 body=10,MinRate=500).

import type { Awaited } from '../../protocol/web-server.ts'

/** Debian's accept filter hides the connection from Apache for half a minute; then the head has 20 s. */
const SILENT_MS = 51_000
const KEEP_ALIVE_MS = 5_000
const HEAD_MS = { first: 20_000, most: 40_000 }
const BODY_MS = 10_000
/** So many bytes prolong a limit by a second. */
const MIN_RATE = 500

/** Milliseconds from now on until the connection is given up; `bytes` of what it waits for have come. */
export function patienceMs(awaited: Awaited, bytes: number, now: number): number {
  const earned = Math.floor(bytes / MIN_RATE) * 1000
  switch (awaited.name) {
    case 'first-byte':
      return SILENT_MS
    case 'rest-of-body':
    case 'unused-body':
    case 'next':
      return KEEP_ALIVE_MS
    case 'head':
      return Math.max(1, awaited.since + Math.min(HEAD_MS.first + earned, HEAD_MS.most) - now)
    case 'body':
      return Math.max(1, awaited.since + BODY_MS + earned - now)
  }
}
