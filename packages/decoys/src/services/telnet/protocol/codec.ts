// The stream of a Telnet client (RFC 854, 855): data, commands, negotiations and subnegotiations, read as telnetd reads
// it. Each byte has a meaning; a stream may end within a command and go on in the next segment.
//
//   data    a byte; 255 is doubled
//   IAC     command
//   IAC     WILL | WONT | DO | DONT   option
//   IAC SB  option  …  IAC SE         255 within is doubled
import { COMMAND, DO, DONT, IAC, SB, WILL, WONT } from './commands.ts'

export type Verb = typeof WILL | typeof WONT | typeof DO | typeof DONT

/** What the next byte means, and the subnegotiation that is not yet whole. */
export interface ReaderState {
  expects: 'data' | 'command' | Verb | 'subnegotiation' | 'command in subnegotiation'
  content: number[]
}

export const newReader = (): ReaderState => ({ expects: 'data', content: [] })

export interface Receiver {
  /** `next` follows in the same segment, as it stands there. True: the receiver has consumed it, too. */
  readonly data: (byte: number, next: number | undefined) => boolean
  readonly command: (command: number) => void
  readonly negotiate: (verb: Verb, option: number) => void
  readonly subnegotiation: (content: readonly number[]) => void
}

/** telnetd's buffer; it forgets what comes behind. */
const MAX_CONTENT_BYTES = 512

/** Reads a segment. Never throws. */
export function readSegment(reader: ReaderState, segment: Buffer, receiver: Receiver): void {
  for (let at = 0; at < segment.length; at += 1) {
    const byte = segment[at]!
    switch (reader.expects) {
      case 'data':
        if (byte === IAC) reader.expects = 'command'
        else if (receiver.data(byte, segment[at + 1])) at += 1
        break
      case 'command':
        readCommand(reader, byte, receiver)
        break
      case 'subnegotiation':
        if (byte === IAC) reader.expects = 'command in subnegotiation'
        else append(reader, byte)
        break
      case 'command in subnegotiation':
        if (byte === IAC) {
          append(reader, byte)
          reader.expects = 'subnegotiation'
          break
        }
        reader.expects = 'data'
        receiver.subnegotiation(reader.content.slice(0, MAX_CONTENT_BYTES - 2))
        // Without its end a subnegotiation ends at the next command.
        if (byte !== COMMAND.subnegotiationEnd) readCommand(reader, byte, receiver)
        break
      default:
        receiver.negotiate(reader.expects, byte)
        reader.expects = 'data'
    }
  }
}

function readCommand(reader: ReaderState, byte: number, receiver: Receiver): void {
  switch (byte) {
    case SB:
      reader.content = []
      reader.expects = 'subnegotiation'
      return
    case WILL:
    case WONT:
    case DO:
    case DONT:
      reader.expects = byte
      return
    case IAC:
      receiver.data(IAC, undefined)
      break
    default:
      receiver.command(byte)
  }
  reader.expects = 'data'
}

function append({ content }: ReaderState, byte: number): void {
  if (content.length < MAX_CONTENT_BYTES) content.push(byte)
}
