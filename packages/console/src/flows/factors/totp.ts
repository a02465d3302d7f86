// Codes of authenticator apps (RFC 6238): six digits, 30 s, one step of clock difference either way.
import { Secret, TOTP } from 'otpauth'
import type { World } from '@rookery/kernel/world.ts'

const ISSUER = 'Rookery'
const PERIOD_S = 30
const SECRET_BYTES = 20
const STEPS_AROUND = 1

export const newTotpSecret = ({ random }: Pick<World, 'random'>): string =>
  new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer }).base32

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_S })

/** What the QR code says to the app. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The step whose code this is; undefined for a wrong one. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const token = code.replaceAll(/[\s-]/g, '')
  const delta = totpOf(secret, '').validate({ token, timestamp: now, window: STEPS_AROUND })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta
}
