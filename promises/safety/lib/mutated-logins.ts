// Logins of token channels with bytes changed, cut, doubled and added, read as the listeners read them.
import { mysqlProtocol } from '@rookery/tokens/channels/mysql/protocol.ts'
import { postgresProtocol } from '@rookery/tokens/channels/postgres/protocol.ts'
import { MAX_LOGIN_BYTES, type LoginProtocol } from '@rookery/tokens/login-protocol.ts'
import {
  CANCEL_REQUEST,
  GSSENC_REQUEST,
  mysqlLogin,
  postgresStart,
  SSL_REQUEST,
} from '@rookery/tokens/client-logins.ts'
import type { Dice } from './dice.ts'

export interface MutatedLogins {
  readonly packets: number
  /** What came of them, by the name of the step. */
  readonly steps: ReadonlyMap<string, number>
  /** The first few that broke the codec, with why. */
  readonly failures: readonly string[]
  readonly failed: number
}

const USER = 'abcdefghijklmnopqrstuvwxy.de_DE.db1.corp.example'

const PROTOCOLS: Readonly<Record<string, { protocol: LoginProtocol<object>; samples: readonly Buffer[] }>> = {
  MySQL: {
    protocol: mysqlProtocol,
    samples: [
      mysqlLogin({ user: 'root' }),
      mysqlLogin({
        user: USER,
        database: 'crm',
        password: Buffer.alloc(20, 7),
        attributes: {
          _client_name: 'libmysql',
          _client_version: '10.11.14',
          _os: 'Linux',
          program_name: 'x',
        },
      }),
      mysqlLogin({ user: 'u'.repeat(3_000), attributes: { _os: 'o'.repeat(250) } }),
      Buffer.from('\x11\0\0\x01\x85\x24\0\0\0old\0scramble\0', 'latin1'),
    ],
  },
  PostgreSQL: {
    protocol: postgresProtocol,
    samples: [
      postgresStart({ user: 'postgres' }),
      postgresStart({ user: USER, database: 'crm', application_name: 'psql', client_encoding: 'UTF8' }),
      postgresStart({ user: 'u'.repeat(3_000) }),
      ...[SSL_REQUEST, GSSENC_REQUEST, CANCEL_REQUEST],
    ],
  },
}

export const LOGIN_PROTOCOLS = Object.keys(PROTOCOLS)

/** The same dice give the same packets. */
export function readMutated(name: string, packets: number, dice: Dice): MutatedLogins {
  const { protocol, samples } = PROTOCOLS[name] ?? { protocol: mysqlProtocol, samples: [] }
  const steps = new Map<string, number>()
  const failures: string[] = []
  let failed = 0
  for (let n = 0; n < packets; n++) {
    const bytes = mutated(samples[n % samples.length] ?? Buffer.alloc(0), dice)
    const fault = faultOf(protocol, bytes, steps)
    if (fault === undefined) continue
    if (++failed <= 5) failures.push(`${name}: ${fault}: ${bytes.toString('hex').slice(0, 400)}`)
  }
  return { packets, steps, failures, failed }
}

function mutated(sample: Buffer, dice: Dice): Buffer {
  const whole = dice.between(0, 9) === 0 ? Buffer.concat([sample, sample]) : Buffer.from(sample)
  for (let changes = dice.between(0, 6); changes > 0; changes--)
    whole[dice.between(0, Math.min(whole.length, 200) - 1)] = dice.between(0, 255)
  return dice.between(0, 4) === 0 ? whole.subarray(0, dice.between(0, whole.length)) : whole
}

/** What is wrong with what the codec says; undefined where all is well. */
function faultOf(
  protocol: LoginProtocol<object>,
  bytes: Buffer,
  steps: Map<string, number>,
): string | undefined {
  try {
    const step = protocol.read(bytes)
    steps.set(step.name, (steps.get(step.name) ?? 0) + 1)
    switch (step.name) {
      case 'incomplete':
        return step.bytes > bytes.length && step.bytes <= MAX_LOGIN_BYTES
          ? undefined
          : `waits for ${step.bytes}`
      case 'request':
        return step.bytes > 0 && step.bytes <= bytes.length ? undefined : `a request of ${step.bytes}`
      case 'login':
        return Object.values(step.login).every((text) => String(text).length <= 256)
          ? undefined
          : 'a long text'
      case 'refused':
        return step.answer.length <= 1_024 ? undefined : `an answer of ${step.answer.length}`
    }
  } catch (error) {
    return `threw ${String(error)}`
  }
}
