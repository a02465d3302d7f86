// The pseudo-terminal between telnetd and login: Linux' line discipline in canonical mode (termios(3)), with its editing,
// echo and signals. What login and the echo write stands in `output`, as telnetd reads it from the master's side.

/** termios(3). */
export interface Attributes {
  /** ECHO. */
  echoes: boolean
  /** ICANON: input is read line by line. */
  isCanonical: boolean
  /** ISIG. */
  hasSignals: boolean
  /** ECHOCTL: control characters are shown as `^X`. */
  showsControls: boolean
  /** ISTRIP: input has seven bits. */
  stripsInput: boolean
  /** OPOST and ONLCR: a line feed goes out behind a carriage return. */
  processesOutput: boolean
  /** XTABS: a tab goes out as blanks. */
  expandsTabs: boolean
  characters: Record<SpecialCharacter, number>
}

export interface Terminal {
  attributes: Attributes
  /** What is typed and can still be edited; latin1, as everything here. */
  line: string
  /** Whole lines, each with its end: a line feed, or nothing where the end of the file was typed. */
  lines: string[]
  /** Characters in `lines`. */
  unread: number
  /** The next character is taken as it is (VLNEXT). */
  isQuoting: boolean
  /** VSTOP: nothing more is shown until VSTART. */
  isStopped: boolean
  /** What is not shown yet: the echo of a write, and all that comes while output is stopped. */
  held: string
  output: string
  column: number
  /** Where the line that is edited begins. */
  lineColumn: number
}

export type SpecialCharacter =
  | 'interrupt'
  | 'quit'
  | 'erase'
  | 'kill'
  | 'endOfFile'
  | 'start'
  | 'stop'
  | 'suspend'
  | 'reprint'
  | 'eraseWord'
  | 'quote'
  | 'discard'
  | 'endOfLine'
  | 'endOfLine2'

export type Signal = 'interrupt' | 'quit' | 'suspend'

/** _POSIX_VDISABLE. */
const DISABLED = 0
/** N_TTY_BUF_SIZE, less the line's end. */
const MAX_UNREAD = 4_095
const MAX_HELD = 64 * 1024

/** A copy. */
export const copyOf = (attributes: Attributes): Attributes => ({
  ...attributes,
  characters: { ...attributes.characters },
})

export const INITIAL: Attributes = {
  echoes: true,
  isCanonical: true,
  hasSignals: true,
  showsControls: true,
  stripsInput: false,
  processesOutput: true,
  expandsTabs: false,
  characters: {
    interrupt: 3,
    quit: 28,
    erase: 127,
    kill: 21,
    endOfFile: 4,
    start: 17,
    stop: 19,
    suspend: 26,
    reprint: 18,
    eraseWord: 23,
    quote: 22,
    discard: 15,
    endOfLine: DISABLED,
    endOfLine2: DISABLED,
  },
}

export const openTerminal = (): Terminal => ({
  attributes: copyOf(INITIAL),
  line: '',
  lines: [],
  unread: 0,
  isQuoting: false,
  isStopped: false,
  held: '',
  output: '',
  column: 0,
  lineColumn: 0,
})

/** A program writes. */
export function write(terminal: Terminal, text: string): void {
  for (const character of text) put(terminal, character)
  flushOutput(terminal)
}

/** Input that nobody has read is gone (TCIFLUSH). */
export function flushInput(terminal: Terminal): void {
  terminal.line = ''
  terminal.lines = []
  terminal.unread = 0
}

/** A program reads: the next line, at most `most` characters of it. */
export function readLine(terminal: Terminal, most: number): string | undefined {
  const { lines, line } = terminal
  if (!terminal.attributes.isCanonical && line) {
    terminal.line = line.slice(most)
    return line.slice(0, most)
  }
  const [first] = lines
  if (first === undefined) return undefined
  const read = first.slice(0, most)
  if (read.length === first.length) lines.shift()
  else lines[0] = first.slice(most)
  terminal.unread -= read.length
  return read
}

/** The user types, all at once; returns the signals that go to the program. A signal discards what is not read yet. */
export function type(terminal: Terminal, text: string): readonly Signal[] {
  const signals: Signal[] = []
  for (const typed of text) {
    const signal = typeCharacter(terminal, terminal.attributes.stripsInput ? strip(typed) : typed)
    if (!signal) continue
    signals.push(signal)
    terminal.held = ''
    terminal.isStopped = false
    flushInput(terminal)
    if (terminal.attributes.echoes) show(terminal, typed)
  }
  flushOutput(terminal)
  return signals
}

const strip = (character: string): string => String.fromCharCode(character.charCodeAt(0) & 0x7f)

function typeCharacter(terminal: Terminal, typed: string): Signal | undefined {
  const { characters, hasSignals } = terminal.attributes
  if (terminal.isQuoting) {
    terminal.isQuoting = false
    append(terminal, typed)
    return undefined
  }
  const code = typed.charCodeAt(0)
  const is = (name: SpecialCharacter): boolean => code === characters[name] && code !== DISABLED
  if (is('start')) terminal.isStopped = false
  else if (is('stop')) terminal.isStopped = true
  else if (hasSignals && is('interrupt')) return 'interrupt'
  else if (hasSignals && is('quit')) return 'quit'
  else if (hasSignals && is('suspend')) return 'suspend'
  else if (typed !== '\r') edit(terminal, typed, is)
  else if (terminal.attributes.isCanonical) edit(terminal, '\n', is)
  else append(terminal, '\n', put)
  return undefined
}

function edit(terminal: Terminal, typed: string, is: (name: SpecialCharacter) => boolean): void {
  if (!terminal.attributes.isCanonical) return append(terminal, typed)
  if (is('erase') || is('kill') || is('eraseWord')) erase(terminal, is)
  else if (is('quote')) {
    terminal.isQuoting = true
    if (terminal.attributes.echoes && terminal.attributes.showsControls) put(put(terminal, '^'), '\b')
  } else if (is('reprint') && terminal.attributes.echoes) {
    put(show(terminal, typed), '\n')
    for (const character of terminal.line) show(terminal, character)
  } else if (typed === '\n') {
    if (terminal.attributes.echoes) put(terminal, '\n')
    endLine(terminal, '\n')
  } else if (is('endOfFile')) endLine(terminal, '')
  else if (is('endOfLine') || is('endOfLine2')) {
    if (terminal.attributes.echoes) show(terminal, typed)
    endLine(terminal, typed)
  } else append(terminal, typed)
}

/** Without ICANON a line feed is shown as `^J`, but the one that stands for a carriage return. */
function append(terminal: Terminal, typed: string, echo = show): void {
  if (terminal.attributes.echoes) {
    if (terminal.line === '') terminal.lineColumn = terminal.column
    echo(terminal, typed)
  }
  if (terminal.line.length + terminal.unread < MAX_UNREAD) terminal.line += typed
}

function endLine(terminal: Terminal, end: string): void {
  const line = terminal.line + end
  terminal.line = ''
  // An end of the file takes room, too.
  if (terminal.unread + terminal.lines.length > MAX_UNREAD) return
  terminal.lines.push(line)
  terminal.unread += line.length
}

/** VERASE takes a character, VWERASE a word, VKILL everything. */
function erase(terminal: Terminal, is: (name: SpecialCharacter) => boolean): void {
  const { line } = terminal
  let length = 0
  if (is('erase')) length = Math.max(0, line.length - 1)
  else if (is('eraseWord')) length = lastWordAt(line)
  if (terminal.attributes.echoes)
    for (let end = line.length; end > length; end -= 1) unshow(terminal, line.slice(0, end))
  terminal.line = line.slice(0, length)
}

/** Letters of Latin-1 are those of a word, too, as in the kernel's ctype. */
const isOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\w\xc0-\xd6\xd8-\xf6\xf8-\xff]/.test(character)

function lastWordAt(line: string): number {
  let at = line.length
  while (at > 0 && !isOfWord(line[at - 1])) at -= 1
  while (isOfWord(line[at - 1])) at -= 1
  return at
}

/** Takes the last character of `line` from the screen. */
function unshow(terminal: Terminal, line: string): void {
  const last = line.at(-1) ?? ''
  const rubOut = '\b \b'
  if (last === '\t') {
    const before = line.slice(0, -1)
    const tab = before.lastIndexOf('\t')
    const width = [...before.slice(tab + 1)].reduce((sum, one) => sum + widthOf(terminal, one), 0)
    const column = tab < 0 ? width + terminal.lineColumn : width
    for (let left = 8 - (column % 8); left > 0; left -= 1) put(terminal, '\b')
  } else
    for (let left = widthOf(terminal, last); left > 0; left -= 1) for (const one of rubOut) put(terminal, one)
}

const isControl = (character: string): boolean => character < ' ' || character === '\x7f'

const widthOf = ({ attributes: { showsControls } }: Terminal, character: string): number =>
  isControl(character) ? (showsControls ? 2 : 0) : 1

/** Echoes a character. */
function show(terminal: Terminal, character: string): Terminal {
  if (!isControl(character) || character === '\t' || !terminal.attributes.showsControls)
    return put(terminal, character)
  return put(put(terminal, '^'), String.fromCharCode(character.charCodeAt(0) ^ 0x40))
}

/** A character goes to the screen. */
function put(terminal: Terminal, character: string): Terminal {
  const { processesOutput, expandsTabs } = terminal.attributes
  const { column } = terminal
  if (processesOutput) move(terminal, character)
  const isExpanded = processesOutput && expandsTabs && character === '\t'
  if (terminal.held.length < MAX_HELD)
    terminal.held += isExpanded
      ? ' '.repeat(terminal.column - column)
      : character === '\n' && processesOutput
        ? '\r\n'
        : character
  return terminal
}

function flushOutput(terminal: Terminal): void {
  if (terminal.isStopped) return
  terminal.output += terminal.held
  terminal.held = ''
}

function move(terminal: Terminal, character: string): void {
  if (character === '\n') terminal.column = terminal.lineColumn = 0
  else if (character === '\r') terminal.column = terminal.lineColumn = 0
  else if (character === '\t') terminal.column += 8 - (terminal.column % 8)
  else if (character === '\b') terminal.column = Math.max(0, terminal.column - 1)
  else if (!isControl(character)) terminal.column += 1
}
