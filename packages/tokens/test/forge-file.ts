// Forges a file without the forge process, as tests of kinds need it.
import { hkdfSync } from 'node:crypto'
import type { Forge, ForgedFile, ForgeInput } from '../src/forge.ts'
import type { TokenSettings } from '../src/settings.ts'

const address = { tokenId: 'abc', url: 'http://t.example/img/abc/pixel.gif', hostname: 'abc.t.example' }

const placement = {
  wireguard: {
    endpoint: 'vpn.t.example:51820',
    publicKey: 'xRx1ka8lBsmKVY3gUJ3gUbTqU8hdLYgnkBWFMjvHkRk=',
  },
}

export const forgeFile = async (
  kind: Forge,
  input: Partial<Omit<ForgeInput<TokenSettings>, 'derive'>> = {},
): Promise<ForgedFile> => {
  const given = { address, placement, settings: {}, uploads: {}, issued: {}, ...input }
  const derive = (label: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', given.address.tokenId, '', label, length))
  return kind.file({ ...given, derive })
}
