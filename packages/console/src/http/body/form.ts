// A urlencoded form (WHATWG URL, application/x-www-form-urlencoded).
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import type { BodyDecoder } from './decoder.ts'
import { PARAMETERS } from '../request-limits.ts'
import { unreadable } from './unreadable.ts'

export function formDecoder(): BodyDecoder {
  const body = byteCollector()
  return {
    push: body.add,
    find(names, hasEnded) {
      const bytes = body.bytes()
      // The last pair may still be arriving.
      const end = hasEnded ? bytes.length : Math.max(0, bytes.lastIndexOf(AMPERSAND))
      const pairs = parse(bytes.subarray(0, end))
      return new Map(
        names.flatMap((name) =>
          pairs
            .getAll(name)
            .slice(0, 1)
            .map((text) => [name, text]),
        ),
      )
    },
    end: () => parse(body.bytes()),
  }
}

const AMPERSAND = 0x26

/** Counts before parsing: a body may contain a million pairs. */
function parse(bytes: Buffer): URLSearchParams {
  let pairs = 1
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) {
    if (++pairs <= PARAMETERS.max) continue
    PARAMETERS.hit()
    throw unreadable(`has more than ${PARAMETERS.max} parameters`)
  }
  return new URLSearchParams(bytes.toString('utf8'))
}
