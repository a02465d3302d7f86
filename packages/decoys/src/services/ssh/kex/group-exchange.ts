// diffie-hellman-group-exchange-sha256 (RFC 4419, RFC 8270): the client says how big, the server picks a group.
import { getDiffieHellman } from 'node:crypto'
import { mpint, reader, u32 } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { agree, type Group } from './dh.ts'
import { REFUSED, type KexMethod } from './method.ts'
import { moduli } from './moduli.data.ts'

const LEAST_BITS = 2048
const MOST_BITS = 8192

export const groupExchange: KexMethod = {
  hash: 'sha256',
  expects: MSG.gexRequest,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const [least, wanted, most] = [fields.u32(), fields.u32(), fields.u32()]
    if (!fields.isWhole) return REFUSED
    const min = Math.max(LEAST_BITS, least)
    const max = Math.min(MOST_BITS, most)
    const bits = Math.min(MOST_BITS, Math.max(LEAST_BITS, wanted))
    if (max < min || bits < min || max < bits) return REFUSED
    const group = choose(min, bits, max, random)
    const asked = Buffer.concat([u32(least), u32(wanted), u32(most)])
    const offered = Buffer.concat([mpint(group.prime), mpint(Buffer.from([group.generator]))])
    return {
      kind: 'more',
      send: Buffer.concat([Buffer.from([MSG.kexReply]), offered]),
      next: exchange(group, Buffer.concat([asked, offered])),
    }
  },
}

/** The second half: `hashed` is what of the first half goes into the exchange hash. */
const exchange = (group: Group, hashed: Buffer): KexMethod => ({
  hash: 'sha256',
  expects: MSG.gexInit,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const peer = fields.mpint()
    const found = fields.isWhole ? agree(group, peer, random) : undefined
    if (!found) return REFUSED
    const answer = mpint(found.publicKey)
    return {
      kind: 'agreed',
      agreement: {
        hashed: Buffer.concat([hashed, mpint(peer), answer]),
        secret: mpint(found.secret),
        replyType: MSG.gexReply,
        answer,
      },
    }
  },
})

/** The smallest listed size that is enough, otherwise the biggest allowed; one of that size at random. */
function choose(min: number, wanted: number, max: number, random: (length: number) => Buffer): Group {
  const sizes = [...new Set(moduli.map(({ bits }) => bits))].filter((bits) => bits >= min && bits <= max)
  const bits =
    sizes.filter((size) => size >= wanted).sort((a, b) => a - b)[0] ?? sizes.sort((a, b) => b - a)[0]
  const candidates = moduli.filter((group) => group.bits === bits)
  return candidates[(random(1)[0] ?? 0) % candidates.length] ?? fallback(max)
}

/** When no listed size lies between: OpenSSH's fixed groups. */
function fallback(max: number): Group {
  const name = max < 3072 ? 'modp14' : max < 6144 ? 'modp16' : 'modp18'
  return { prime: getDiffieHellman(name).getPrime(), generator: 2 }
}
