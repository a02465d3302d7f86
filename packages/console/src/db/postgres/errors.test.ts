import { expect, it, onTestFinished } from 'vitest'
import { Socket } from 'node:net'
import { openPool } from './pool.ts'
import { diagnose, isOutcomeUnknown, isRefusalOfAny, isRefusalOfValues, refusalIn } from './errors.ts'

const failure = (code: string): Error => Object.assign(new Error('it failed'), { code })

it.each([
  ...['08006', '28P01', '28000', '3D000', '42501', '42P01', '53200', '53300', '53400', '57014', '57P04'],
  ...['58030', '58P01', 'XX000', 'ENETDOWN', 'EHOSTDOWN', 'ECONNABORTED', 'EADDRNOTAVAIL', 'EPROTO'],
  ...[
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION',
  ],
])('%s counts as away', (code) => {
  expect(diagnose(failure(code))).toBe('away')
})

it.each(['22021', '23505', '42703', '54000', 'ENOENT', 'EMFILE', 'EACCES'])('%s does not', (code) => {
  expect([diagnose(failure(code)), refusalIn(failure(code))]).toEqual(['other', undefined])
})

it.each(['EMFILE', 'ENFILE', 'EACCES', ''])(
  'an error %s of connecting counts as away, and is named',
  async (code) => {
    const make = () => {
      const socket = new Socket()
      socket.connect = () => {
        setImmediate(() => socket.destroy(failure(code)))
        return socket
      }
      return socket
    }
    const pool = openPool(
      { connectionString: 'postgres://a:b@127.0.0.1:1/c', stream: make },
      { answerMs: 0, bind: (value) => value, onUnanswered: () => undefined },
    )
    onTestFinished(() => pool.end())
    const error: unknown = await pool.connect().catch((reason: unknown) => reason)
    expect(diagnose(error)).toBe('away')
    expect(refusalIn(error)).toBe(code === '' ? 'it failed' : `it failed (${code})`)
  },
)

it('what is known of a COMMIT, and of other touches, follows from the code', () => {
  const codes = ['57P01', 'ECONNRESET', '08006', '42501', '53200', 'XX000', '57014', '23505']
  expect(codes.filter((code) => isOutcomeUnknown(failure(code)))).toEqual(['57P01', 'ECONNRESET', '08006'])
  expect(codes.filter((code) => isRefusalOfValues(failure(code)))).toEqual(['23505'])
  expect(['42703', '22021', 'EPIPE', ''].filter((code) => isRefusalOfAny(failure(code)))).toEqual(['42703'])
})
