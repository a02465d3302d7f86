// login of BusyBox: asks for a name and a password, and refuses every pair.
import { flushInput, readLine, write, type Signal, type Terminal } from '../../protocol/terminal.ts'
import type { Guess, TelnetTexts } from '../../protocol/login-texts.ts'

export interface Login {
  readonly terminal: Terminal
  readonly texts: TelnetTexts
  stage: 'starting' | 'greeted' | 'user' | 'password' | 'refusing' | 'over'
  /** Of the password, where an end of the file was typed behind it. */
  typed: string
  /** What was read for a name and not used: its end, or lines behind it whose line feeds were quoted. */
  unread: string
  user: string
  emptyNames: number
  failures: number
  /** When it goes on by itself; milliseconds UTC. */
  wakeAt: number
  readonly endsAt: number
}

/** The time of fork(2) and exec(2): the real one's prompt comes after one or two. */
const START_MS = 2
const TIMEOUT_MS = 60_000
/** LOGIN_FAIL_DELAY. */
const DELAY_MS = 3_000
const MAX_FAILURES = 3
/** EMPTY_USERNAME_COUNT. */
const MAX_EMPTY_NAMES = 10
/** What it has room for, with the end of the line. */
const MAX_NAME = 62
const MAX_ANSWER = 4_095

export function startLogin(terminal: Terminal, texts: TelnetTexts, now: number): Login {
  return {
    terminal,
    texts,
    stage: 'starting',
    typed: '',
    unread: '',
    user: '',
    emptyNames: 0,
    failures: 0,
    wakeAt: now + START_MS,
    endsAt: now + TIMEOUT_MS,
  }
}

/** There is no prompt yet. */
export const isStarting = ({ stage }: Login): boolean => stage === 'starting' || stage === 'greeted'

/** The prompt comes a moment behind it: who has gone by then sees it alone. */
export function greet(login: Login, now: number): void {
  if (login.stage !== 'starting') return
  const { terminal, texts } = login
  const lines = texts.banner.replaceAll('%t', 'pts/0').replace(/\r?\n/g, '\n\r')
  write(terminal, `\r\n${lines && `${lines}\n\r`}`)
  login.stage = 'greeted'
  login.wakeAt = now + 1
}

/** A time has come. */
export function wakeLogin(login: Login, now: number): void {
  const { terminal, texts, stage } = login
  if (stage === 'over' || now < login.wakeAt) return
  greet(login, now)
  login.wakeAt = login.endsAt
  if (now >= login.endsAt) {
    write(terminal, '\r\nLogin timed out after 60 seconds\r\n')
    login.stage = 'over'
    return
  }
  if (stage === 'refusing') {
    write(terminal, `${texts.refusal}\n`)
    login.failures += 1
  }
  login.stage = login.failures < MAX_FAILURES ? 'user' : 'over'
  if (login.stage === 'over') return
  flushInput(terminal)
  write(terminal, texts.userPrompt)
}

/** Reads what is typed; returns the guess that it completes. */
export function readInput(login: Login, now: number): readonly Guess[] {
  if (login.stage === 'user') return readName(login, now)
  return login.stage === 'password' ? readPassword(login, now) : []
}

/** Its first word. stdio reads all that there is; what stands behind the line feed answers the next prompt. */
function readName(login: Login, now: number): readonly Guess[] {
  const { terminal, texts, unread } = login
  const length = unread.indexOf('\n') + 1
  if (length === 0) {
    const read = readLine(terminal, MAX_ANSWER)
    if (read === undefined) return []
    login.unread += read
    if (read === '') login.stage = 'over'
    return readInput(login, now)
  }
  login.unread = unread.slice(length)
  const answer = unread.slice(0, length).replace(/^[ \t-\r]+/, '')
  if (answer === '') {
    login.emptyNames += 1
    if (login.emptyNames < MAX_EMPTY_NAMES) write(terminal, texts.userPrompt)
    else login.stage = 'over'
    return readInput(login, now)
  }
  login.emptyNames = 0
  login.user = answer.split(/[\0- ]/, 1)[0]!
  // It finds no end of the line.
  if (answer.length > MAX_NAME || answer.slice(1).includes('\0')) {
    login.stage = 'over'
    return [{ user: login.user, password: '' }]
  }
  login.stage = 'password'
  write(terminal, texts.passwordPrompt)
  flushInput(terminal)
  terminal.attributes.echoes = false
  return []
}

function readPassword(login: Login, now: number): readonly Guess[] {
  const read = readLine(login.terminal, MAX_ANSWER)
  if (read === undefined) return []
  login.typed += read
  if (read !== '' && !login.typed.includes('\n')) return readInput(login, now)
  return [refuse(login, login.typed.split('\n', 1)[0]!, now)]
}

function refuse(login: Login, password: string, now: number): Guess {
  const { terminal, user } = login
  terminal.attributes.echoes = true
  login.typed = ''
  write(terminal, '\n')
  login.stage = 'refusing'
  login.wakeAt = Math.min(now + DELAY_MS, login.endsAt)
  return { user, password }
}

/** An interrupt at the prompt for the password is an answer; else it ends login. */
export function interrupt(login: Login, signal: Signal, now: number): Guess | undefined {
  // Of a process group that nobody can continue, SIGTSTP has no effect.
  if (signal === 'suspend') return undefined
  if (login.stage === 'password' && signal === 'interrupt') return refuse(login, '', now)
  login.stage = 'over'
  return undefined
}
