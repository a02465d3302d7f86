// Passkeys (WebAuthn, level 3). A challenge is not stored: it is signed with what it is for, the host and its time, and a
// passkey takes each once (stores/factors, `takeSignature`). So strangers, who get challenges as well, fill no table.
import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { PasskeyRow } from '../../stores/factors/store.ts'

const CHALLENGE_MS = 300_000
const NONCE = 16
const TIME = 6
const MAC = 32

/** Where the browser is: `host` with its port, `rpId` without it. */
export interface PasskeyPlace {
  readonly host: string
  readonly rpId: string
}

/** The place at which a passkey can work; undefined for an address, which WebAuthn does not take. */
export function passkeyPlace(host: string): PasskeyPlace | undefined {
  const rpId = URL.parse(`https://${host}`)?.hostname ?? ''
  return rpId === '' || isIP(rpId) !== 0 || rpId.startsWith('[') ? undefined : { host, rpId }
}

interface Taken {
  readonly counter: number
  readonly challengedAt: number
}

export interface Passkeys {
  /** Options for making one. */
  registration(
    place: PasskeyPlace,
    user: { readonly user_id: string; readonly email: string },
    known: readonly PasskeyRow[],
  ): Promise<object>
  /** The passkey that was made; throws `bad-input` where it does not hold. */
  register(
    place: PasskeyPlace,
    userId: string,
    response: unknown,
  ): Promise<Pick<PasskeyRow, 'passkey_id' | 'public_key' | 'counter' | 'transports' | 'challenged_at'>>
  /** Options for using one: any, or one of these. */
  authentication(place: PasskeyPlace, known?: readonly PasskeyRow[]): Promise<object>
  /** Undefined where the signature does not hold. */
  verify(place: PasskeyPlace, passkey: PasskeyRow, response: unknown): Promise<Taken | undefined>
}

/** The library is loaded with the first passkey. */
const webauthn = () => import('@simplewebauthn/server')

export function openPasskeys({ vault, world, log }: Pick<AppContext, 'vault' | 'world' | 'log'>): Passkeys {
  const macOf = (purpose: string, head: Uint8Array): Buffer =>
    vault.mac('challenge', `${purpose} ${Buffer.from(head).toString('hex')}`)

  function challengeFor(purpose: string): Uint8Array<ArrayBuffer> {
    const time = Buffer.alloc(TIME)
    time.writeUIntBE(world.clock.now(), 0, TIME)
    const head = Buffer.concat([world.random.bytes(NONCE), time])
    return new Uint8Array(Buffer.concat([head, macOf(purpose, head)]))
  }

  /** When it was made; undefined for one that is not ours, was made for something else, or is too old. */
  function timeOf(challenge: string, purpose: string): number | undefined {
    const bytes = Buffer.from(challenge, 'base64url')
    if (bytes.length !== NONCE + TIME + MAC) return undefined
    const head = bytes.subarray(0, NONCE + TIME)
    if (!timingSafeEqual(bytes.subarray(NONCE + TIME), macOf(purpose, head))) return undefined
    const at = bytes.readUIntBE(NONCE, TIME)
    const now = world.clock.now()
    return at <= now && now - at <= CHALLENGE_MS ? at : undefined
  }

  const forUse = ({ rpId }: PasskeyPlace): string => `use ${rpId}`
  const forMaking = ({ rpId }: PasskeyPlace, userId: string): string => `make ${rpId} ${userId}`
  /** Behind a proxy that is not trusted the console sees another scheme than the browser. */
  const originsOf = ({ host }: PasskeyPlace): string[] => [`https://${host}`, `http://${host}`]

  return {
    async registration(place, { user_id, email }, known) {
      const { generateRegistrationOptions } = await webauthn()
      return generateRegistrationOptions({
        rpName: 'Rookery',
        rpID: place.rpId,
        userID: new Uint8Array(Buffer.from(user_id)),
        userName: email,
        challenge: challengeFor(forMaking(place, user_id)),
        timeout: CHALLENGE_MS,
        excludeCredentials: known.map(credentialOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    async register(place, userId, response) {
      const { verifyRegistrationResponse } = await webauthn()
      const outcome = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: (challenge) => timeOf(challenge, forMaking(place, userId)) !== undefined,
        expectedOrigin: originsOf(place),
        expectedRPID: place.rpId,
      }).catch((error: unknown) => {
        log.debug({ err: error }, 'a passkey was not taken')
        return undefined
      })
      if (!outcome?.verified)
        throw invalidParameter(
          'response',
          'is no new passkey for this address, or came too late. Begin again.',
        )
      const { id, publicKey, counter, transports = [] } = outcome.registrationInfo.credential
      return {
        passkey_id: id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transports.join(','),
        challenged_at: 0,
      }
    },
    async authentication(place, known) {
      const { generateAuthenticationOptions } = await webauthn()
      return generateAuthenticationOptions({
        rpID: place.rpId,
        challenge: challengeFor(forUse(place)),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
        ...(known && { allowCredentials: known.map(credentialOf) }),
      })
    },
    async verify(place, passkey, response) {
      const { verifyAuthenticationResponse } = await webauthn()
      let at: number | undefined
      const outcome = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => (at = timeOf(challenge, forUse(place))) !== undefined,
        expectedOrigin: originsOf(place),
        expectedRPID: place.rpId,
        credential: {
          ...credentialOf(passkey),
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.counter,
        },
      }).catch((error: unknown) => {
        log.debug({ err: error }, 'a signature of a passkey was not taken')
        return undefined
      })
      if (!outcome?.verified || at === undefined) return undefined
      return { counter: outcome.authenticationInfo.newCounter, challengedAt: at }
    },
  }
}

const credentialOf = ({ passkey_id, transports }: PasskeyRow) => ({
  id: passkey_id,
  transports: transports.split(',').filter(Boolean) as AuthenticatorTransport[],
})
