// vsftpd without a valid user: every password raises an event and is refused.
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { decode, type Command, type Line } from '../../protocol/codec.ts'
import {
  COMMAND_MS,
  MAX_LOGIN_FAILURES,
  OWN_DELAY_MS,
  PAM_DELAY_MS,
  MAX_CREDENTIAL_BYTES,
  PLEASE_LOGIN,
  FEATURES,
} from './profile.ts'

interface State {
  /** The argument of USER; undefined again after each PASS. */
  readonly user: string | undefined
  readonly failures: number
}

/** Sessions that greet with `220 <banner>`. */
export function ftpSession(banner: string): SessionRunner {
  return sessionRunner<State, Line>({
    limits: { frameBytes: 4_096, idleMs: COMMAND_MS },
    decode,
    open: () => ({ state: { user: undefined, failures: 0 }, send: `220 ${banner}\r\n`, wakeMs: COMMAND_MS }),
    step(state, line, context) {
      if (line === 'empty') return { state, wakeMs: COMMAND_MS }
      if (line === 'too-long') return { state, send: '500 Input line too long.\r\n', close: 'end' }
      return { ...answer(state, line, context), wakeMs: COMMAND_MS }
    },
    wake: timeOut,
    idle: timeOut,
  })
}

const timeOut = (state: State): Step<State> => ({ state, send: '421 Timeout.\r\n', close: 'end' })

function answer(state: State, { verb, argument }: Command, context: SessionContext): Step<State> {
  switch (verb) {
    case 'USER':
      return { state: { ...state, user: argument }, send: '331 Please specify the password.\r\n' }
    case 'PASS':
      return refuseLogin(state, argument, context)
    case 'QUIT':
      return { state, send: '221 Goodbye.\r\n', close: 'end' }
    case 'FEAT':
      return { state, send: FEATURES }
    case 'OPTS': {
      const isUtf8 = argument.toUpperCase() === 'UTF8 ON'
      return { state, send: isUtf8 ? '200 Always in UTF8 mode.\r\n' : '501 Option not understood.\r\n' }
    }
    default:
      return { state, send: PLEASE_LOGIN }
  }
}

function refuseLogin({ user, failures }: State, password: string, context: SessionContext): Step<State> {
  // An empty name is none.
  if (!user) return { state: { user, failures }, send: '503 Login with USER first.\r\n' }
  const state = { user: undefined, failures: failures + 1 }
  return {
    state,
    events: [{ logtype: '2000', fields: { USERNAME: readable(user), PASSWORD: readable(password) } }],
    send: '530 Login incorrect.\r\n',
    delayMs: OWN_DELAY_MS + (isAskedOfPam(user, password) ? pamDelay(context) : 0),
    ...(state.failures >= MAX_LOGIN_FAILURES && { close: 'end' as const }),
  }
}

/** vsftpd and pam_unix refuse other names, and longer texts, before anything is delayed. */
const isAskedOfPam = (user: string, password: string): boolean =>
  /^[A-Za-z0-9._][!-~]*$/.test(user) &&
  user.length <= MAX_CREDENTIAL_BYTES &&
  password.length <= MAX_CREDENTIAL_BYTES

/** Half to three halves, the mean of three chances. */
function pamDelay({ random }: SessionContext): number {
  const mean = random(3).reduce((sum, byte) => sum + byte / 256, 0) / 3
  return Math.round(PAM_DELAY_MS * (0.5 + mean))
}
