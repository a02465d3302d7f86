// vsftpd without a valid user: every password raises an event and is refused.
import { readable } from '../../readable.ts'
import { sessionRunner } from '../../session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../session.ts'
import { decode, type Command } from './codec.ts'

interface State {
  /** The argument of USER; undefined again after each PASS. */
  readonly user: string | undefined
  readonly failures: number
}

/** vsftpd's `max_login_fails`. */
const MAX_LOGIN_FAILURES = 3
/** PAM takes about two seconds and vsftpd one more; PAM's part varies by a quarter. */
const REFUSAL_DELAY_MS = { min: 2_500, spread: 1_000 }

const PLEASE_LOGIN = '530 Please login with USER and PASS.\r\n'
const FEATURES = `211-Features:\r\n${['EPRT', 'EPSV', 'MDTM', 'PASV', 'REST STREAM', 'SIZE', 'TVFS'].map((name) => ` ${name}\r\n`).join('')}211 End\r\n`

/** Sessions that greet with `220 <banner>`. */
export function ftpSession(banner: string): SessionRunner {
  return sessionRunner<State, Command | 'too-long'>({
    limits: { frameBytes: 4_096, idleMs: 300_000 },
    decode,
    open: () => ({ state: { user: undefined, failures: 0 }, send: `220 ${banner}\r\n` }),
    step: (state, command, context) =>
      command === 'too-long'
        ? { state, send: '500 Input line too long.\r\n', close: 'end' }
        : answer(state, command, context),
    idle: (state) => ({ state, send: '421 Timeout.\r\n', close: 'end' }),
  })
}

function answer(state: State, { verb, argument }: Command, context: SessionContext): Step<State> {
  switch (verb) {
    case '':
      return argument ? { state, send: PLEASE_LOGIN } : { state }
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
  if (user === undefined) return { state: { user, failures }, send: '503 Login with USER first.\r\n' }
  const state = { user: undefined, failures: failures + 1 }
  const fraction = context.random(2).readUInt16BE() / 65_536
  return {
    state,
    events: [{ logtype: '2000', fields: { USERNAME: readable(user), PASSWORD: readable(password) } }],
    send: '530 Login incorrect.\r\n',
    delayMs: Math.round(REFUSAL_DELAY_MS.min + fraction * REFUSAL_DELAY_MS.spread),
    ...(state.failures >= MAX_LOGIN_FAILURES && { close: 'end' as const }),
  }
}
