// A vsftpd whose users nobody knows: every password is an event and wrong.
import { sessionRunner } from '../../session-runner.ts'
import { readable } from '../../readable.ts'
import type { SessionContext, SessionRunner, Step } from '../../session.ts'
import { decode, type Line } from './codec.ts'

interface State {
  /** Since the last password. */
  readonly user: string | undefined
  readonly failures: number
}

/** `max_login_fails`. */
const MOST_FAILURES = 3
/** PAM waits about two seconds and vsftpd one more; PAM's part varies by a quarter. */
const DELAY_MS = { least: 2_500, spread: 1_000 }

const PLEASE_LOGIN = '530 Please login with USER and PASS.\r\n'
const FEATURES = `211-Features:\r\n${['EPRT', 'EPSV', 'MDTM', 'PASV', 'REST STREAM', 'SIZE', 'TVFS'].map((name) => ` ${name}\r\n`).join('')}211 End\r\n`

/** Sessions that greet with `220 <banner>`. `delays`: hold back refusals as long as the real server does. */
export function ftp(banner: string, delays = true): SessionRunner {
  return sessionRunner<State, Line | 'too-long'>({
    limits: { frameBytes: 4_096, idleMs: 300_000 },
    decode,
    open: () => ({ state: { user: undefined, failures: 0 }, send: `220 ${banner}\r\n` }),
    step(state, line, context) {
      if (line === 'too-long') return { state, send: '500 Input line too long.\r\n', close: 'end' }
      switch (line.verb) {
        case '':
          return line.argument ? { state, send: PLEASE_LOGIN } : { state }
        case 'USER':
          return { state: { ...state, user: line.argument }, send: '331 Please specify the password.\r\n' }
        case 'PASS':
          return judge(state, line.argument, context)
        case 'QUIT':
          return { state, send: '221 Goodbye.\r\n', close: 'end' }
        case 'FEAT':
          return { state, send: FEATURES }
        case 'OPTS': {
          const isUtf8 = line.argument.toUpperCase() === 'UTF8 ON'
          return { state, send: isUtf8 ? '200 Always in UTF8 mode.\r\n' : '501 Option not understood.\r\n' }
        }
        default:
          return { state, send: PLEASE_LOGIN }
      }
    },
    idle: (state) => ({ state, send: '421 Timeout.\r\n', close: 'end' }),
  })

  function judge({ user, failures }: State, password: string, context: SessionContext): Step<State> {
    if (user === undefined) return { state: { user, failures }, send: '503 Login with USER first.\r\n' }
    const state = { user: undefined, failures: failures + 1 }
    const share = context.random(2).readUInt16BE() / 65_536
    return {
      state,
      events: [{ logtype: '2000', fields: { USERNAME: readable(user), PASSWORD: readable(password) } }],
      send: '530 Login incorrect.\r\n',
      ...(delays && { delayMs: Math.round(DELAY_MS.least + share * DELAY_MS.spread) }),
      ...(state.failures >= MOST_FAILURES && { close: 'end' as const }),
    }
  }
}
