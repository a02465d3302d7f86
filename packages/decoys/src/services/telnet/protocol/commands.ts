// Telnet's commands and options by number (RFC 854); the RFC of each stands above it.

export const IAC = 255
export const DONT = 254
export const DO = 253
export const WONT = 252
export const WILL = 251
export const SB = 250
/** RFC 854. */
export const COMMAND = {
  eraseLine: 248,
  eraseCharacter: 247,
  areYouThere: 246,
  abortOutput: 245,
  interruptProcess: 244,
  break: 243,
  dataMark: 242,
  subnegotiationEnd: 240,
  /** RFC 885. */
  endOfRecord: 239,
  /** RFC 1184, 2.5. */
  abort: 238,
  suspend: 237,
  endOfFile: 236,
} as const

export const OPTION = {
  /** RFC 856. */
  binary: 0,
  /** RFC 857. */
  echo: 1,
  /** RFC 858. */
  suppressGoAhead: 3,
  /** RFC 859. */
  status: 5,
  /** RFC 860. */
  timingMark: 6,
  /** RFC 727. */
  logout: 18,
  /** RFC 1091. */
  terminalType: 24,
  /** RFC 1073. */
  windowSize: 31,
  /** RFC 1079. */
  terminalSpeed: 32,
  /** RFC 1372. */
  flowControl: 33,
  /** RFC 1184. */
  linemode: 34,
  /** RFC 1096. */
  xDisplayLocation: 35,
  /** RFC 1408. */
  oldEnvironment: 36,
  /** RFC 2941. */
  authentication: 37,
  /** RFC 2946. */
  encryption: 38,
  /** RFC 1572. */
  newEnvironment: 39,
} as const

/** The first byte of most subnegotiations. */
export const IS = 0
export const SEND = 1
export const REPLY = 2

/** Latin1, one character a byte. */
export const bytes = (...codes: readonly number[]): string => String.fromCharCode(...codes)

/** Marks the place up to which output was discarded. */
export const dataMark = bytes(IAC, COMMAND.dataMark)

/** `IAC SB option … IAC SE`; bytes 255 within are doubled. */
export const subnegotiation = (option: number, ...content: readonly number[]): string =>
  bytes(IAC, SB, option) +
  bytes(...content).replaceAll('\xff', '\xff\xff') +
  bytes(IAC, COMMAND.subnegotiationEnd)
