// The stream of a client as telnetd of BusyBox reads it: it knows the length of a command by its first bytes alone, and
// types whatever stands behind it.
//
//   IAC IAC                       255
//   IAC 240 … 249                 a command; none but AYT does anything
//   IAC SB NAWS, four bytes       the size of the window; its IAC SE is a command of its own
//   IAC any other byte, one byte  a negotiation, or three bytes of a subnegotiation
import { bytes, COMMAND, IAC, OPTION, SB } from '../../protocol/commands.ts'

export interface ReaderState {
  /** The last segment ended behind an IAC. */
  isAfterIac: boolean
}

export interface Said {
  /** Latin1. */
  readonly typed: string
  readonly isAreYouThere: boolean
  /** `<columns>x<rows>`, if it was said. */
  readonly windowSize?: string
}

const [NUL, LINE_FEED, CARRIAGE_RETURN] = [0, 10, 13]
const WINDOW_SIZE_BYTES = 7

export function readSegment(reader: ReaderState, segment: Buffer): Said {
  // A NUL at the end of what it reads is dropped: it may stand behind a carriage return.
  const received = segment.at(-1) === NUL ? segment.subarray(0, -1) : segment
  const stream = reader.isAfterIac ? Buffer.concat([Buffer.of(IAC), received]) : received
  reader.isAfterIac = false
  let [typed, isAreYouThere] = ['', false]
  let windowSize: string | undefined
  for (let at = 0; at < stream.length;) {
    const [byte = 0, next, third] = stream.subarray(at)
    if (byte !== IAC) {
      typed += bytes(byte)
      at += byte === CARRIAGE_RETURN && (next === LINE_FEED || next === NUL) ? 2 : 1
      continue
    }
    if (next === undefined) reader.isAfterIac = true
    if (next === IAC) typed += bytes(IAC)
    if (next === COMMAND.areYouThere) isAreYouThere = true
    const isWindowSize = next === SB && third === OPTION.windowSize
    if (isWindowSize && stream.length - at >= WINDOW_SIZE_BYTES)
      windowSize = `${stream.readUInt16BE(at + 3)}x${stream.readUInt16BE(at + 5)}`
    if (isWindowSize) at += WINDOW_SIZE_BYTES
    else at += isShort(next) ? 2 : 3
  }
  return { typed, isAreYouThere, ...(windowSize !== undefined && { windowSize }) }
}

const isShort = (command: number | undefined): boolean =>
  command !== undefined && (command === IAC || (command >= COMMAND.subnegotiationEnd && command < SB))
