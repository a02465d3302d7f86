// login of shadow-utils 4.13 with Debian's PAM configuration: asks for a name and a password, and refuses every pair.
import {
  copyOf,
  flushInput,
  readLine,
  write,
  type Attributes,
  type Signal,
  type Terminal,
} from '../../protocol/terminal.ts'
import type { Guess, LoginTexts } from '../../protocol/login-texts.ts'

export interface Login {
  readonly terminal: Terminal
  readonly texts: LoginTexts
  /** The terminal's attributes before the prompt. */
  before: Attributes
  /** What it waits for: its own start, a line, PAM's delay, nothing more. */
  stage: 'starting' | 'user' | 'password' | 'refusing' | 'over'
  user: string
  failures: number
  /** When `stage` ends by itself; milliseconds UTC. */
  wakeAt: number
  /** When the time for all of it is over. */
  readonly endsAt: number
}

/** The time of exec(2), the dynamic linker and pam_start(3). */
const START_MS = 15
/** LOGIN_TIMEOUT of login.defs(5). */
const TIMEOUT_MS = 60_000
/** LOGIN_RETRIES. */
const MAX_FAILURES = 5
/** pam_faildelay in Debian's pam.d/login; PAM takes or adds up to a half (pam_fail_delay(3)). */
const DELAY_MS = 3_000
/** PAM_MISC_CONV_BUFSIZE, less the end. */
const MAX_ANSWER = 4_095

export const startLogin = (terminal: Terminal, texts: LoginTexts, now: number): Login => ({
  terminal,
  texts,
  before: copyOf(terminal.attributes),
  stage: 'starting',
  user: '',
  failures: 0,
  wakeAt: now + START_MS,
  endsAt: now + TIMEOUT_MS,
})

/** The next time at which login does something by itself. */
export const nextWakeAt = ({ stage, wakeAt, endsAt }: Login): number =>
  stage === 'starting' || stage === 'refusing' ? Math.min(wakeAt, endsAt) : endsAt

/** A time has come. */
export function wakeLogin(login: Login, now: number): void {
  const { terminal, texts, stage } = login
  if (now >= login.endsAt) {
    write(terminal, '\nLogin timed out after 60 seconds.\n')
    login.stage = 'over'
  } else if (now < login.wakeAt) return
  else if (stage === 'starting') {
    const { attributes } = terminal
    attributes.echoes = attributes.isCanonical = attributes.hasSignals = attributes.showsControls = true
    Object.assign(attributes.characters, { erase: 127, kill: 21 })
    ask(login, 'user')
  } else if (stage === 'refusing') {
    write(terminal, `\n${texts.refusal}\n`)
    login.failures += 1
    if (login.failures < MAX_FAILURES) return ask(login, 'user')
    write(terminal, `Maximum number of tries exceeded (${MAX_FAILURES})\n`)
    login.stage = 'over'
  }
}

/** Reads what is typed; returns the guess that it completes. */
export function readInput(login: Login, now: number, random: (length: number) => Buffer): Guess | undefined {
  const { stage, terminal } = login
  if (stage !== 'user' && stage !== 'password') return undefined
  const line = readLine(terminal, MAX_ANSWER)
  if (line === undefined) return undefined
  terminal.attributes = login.before
  // Nobody has echoed the end of this line.
  if (stage === 'password' || !line.endsWith('\n')) write(terminal, '\n')
  const answer = line.replace(/\n$/, '')
  if (stage === 'user' && isAskedFor(line)) {
    login.user = answer
    ask(login, 'password')
    return undefined
  }
  login.stage = 'refusing'
  login.wakeAt = now + delayMs(random)
  if (stage === 'password') return { user: login.user, password: answer }
  return line === '' ? undefined : { user: answer, password: '' }
}

/** pam_unix asks for no password of a name that might be an option, nor where the end of the file was typed. */
const isAskedFor = (line: string): boolean => line !== '' && !/^[-+]/.test(line)

export function signalLogin(login: Login, signal: Signal): void {
  // Of a process group that nobody can continue, SIGTSTP has no effect.
  if (signal !== 'suspend') login.stage = 'over'
}

/** What was typed before the prompt is discarded (misc_conv(3)). */
function ask(login: Login, stage: 'user' | 'password'): void {
  const { terminal, texts } = login
  login.stage = stage
  login.before = copyOf(terminal.attributes)
  if (stage === 'password') terminal.attributes.echoes = false
  flushInput(terminal)
  write(terminal, stage === 'user' ? texts.userPrompt : texts.passwordPrompt)
}

/** Half to three halves, the mean of three chances. */
function delayMs(random: (length: number) => Buffer): number {
  const bytes = random(12)
  const mean = [0, 4, 8].reduce((sum, at) => sum + bytes.readUInt32BE(at) / 2 ** 32, 0) / 3
  return Math.round(DELAY_MS * (0.5 + mean))
}
