// diffie-hellman-group-exchange-sha256 (RFC 4419, RFC 8270): the client names sizes, the server chooses a group.
import { getDiffieHellman } from 'node:crypto'
import { mpint, reader, u32 } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { dhExchange } from './dh.ts'
import type { Group } from './dh-keys.ts'
import { REFUSED, type KexMethod } from './method.ts'
import { moduli } from './moduli.data.ts'

const MIN_BITS = 2048
const MAX_BITS = 8192

export const groupExchange: KexMethod = {
  hash: 'sha256',
  expects: MSG.gexRequest,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const [least, wanted, most] = [fields.u32(), fields.u32(), fields.u32()]
    if (!fields.isWhole || wanted < least || most < wanted) return REFUSED
    const min = Math.max(MIN_BITS, least)
    const max = Math.min(MAX_BITS, most)
    const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, wanted))
    if (max < min) return REFUSED
    const group = chooseGroup(min, bits, max, random)
    const requested = Buffer.concat([u32(least), u32(wanted), u32(most)])
    const offered = Buffer.concat([mpint(group.prime), mpint(Buffer.from([group.generator]))])
    return {
      kind: 'continue',
      send: Buffer.concat([Buffer.from([MSG.kexReply]), offered]),
      next: exchange(group, Buffer.concat([requested, offered])),
    }
  },
}

/** The second half. `hashed`: what the exchange hash needs of the first half. */
const exchange = (group: Group, hashed: Buffer): KexMethod => ({
  hash: 'sha256',
  expects: MSG.gexInit,
  receive: (payload) => dhExchange(group, payload, { hashed, replyType: MSG.gexReply }),
})

/** A random group of the smallest listed size that suffices; otherwise of the largest that is allowed. */
function chooseGroup(min: number, wanted: number, max: number, random: (length: number) => Buffer): Group {
  const sizes = [...new Set(moduli.map(({ bits }) => bits))].filter((bits) => bits >= min && bits <= max)
  const bits =
    sizes.filter((size) => size >= wanted).sort((a, b) => a - b)[0] ?? sizes.sort((a, b) => b - a)[0]
  const candidates = moduli.filter((group) => group.bits === bits)
  return candidates[(random(1)[0] ?? 0) % candidates.length] ?? fixedGroup(max)
}

/** OpenSSH's fixed groups, for when no listed size is allowed. */
function fixedGroup(max: number): Group {
  const name = max < 3072 ? 'modp14' : max < 6144 ? 'modp16' : 'modp18'
  return { prime: getDiffieHellman(name).getPrime(), generator: 2 }
}
