// Who logs in, as a script draws it.
import type { Draw } from '../../../test/draw.ts'
import { EMPTY_NT_HASH } from '../../../src/windows/netntlm.ts'
import type { Credentials } from '../../windows/ntlm-client.ts'
import { placeOf } from './place.ts'

const USERS = [
  'bob',
  'guest',
  'nobody',
  'root',
  'Administrator',
  'admin',
  'x'.repeat(60),
  'jürgen',
  'a b',
  'CORP\\bob',
  'bob@corp.example',
]

export function drawCredentials(draw: Draw): Credentials {
  if (draw.chance(0.15)) return { user: '' }
  const user = draw.chance(0.15) ? draw.pick(placeOf().users) : draw.pick(USERS)
  const ntHash = draw.pick([Buffer.alloc(16, 7), Buffer.alloc(16, draw.int(256)), EMPTY_NT_HASH])
  return {
    user,
    domain: draw.pick(['WORKGROUP', '', 'CORP', 'x']),
    workstation: draw.pick(['CLIENT', '', 'PC-17']),
    ntHash,
  }
}
