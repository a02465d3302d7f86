// The key exchange methods by their names.
import { byWord } from '@rookery/kernel/by-word.ts'
import { curve25519 } from './curve25519.ts'
import { dh } from './dh.ts'
import { ecdh } from './ecdh.ts'
import { groupExchange } from './group-exchange.ts'
import type { KexMethod } from './method.ts'
import { mlkemHybrid } from './mlkem-hybrid.ts'
import { sntrupHybrid } from './sntrup-hybrid.ts'

export const kexMethods = byWord<KexMethod>({
  'mlkem768x25519-sha256': mlkemHybrid,
  'sntrup761x25519-sha512': sntrupHybrid,
  'sntrup761x25519-sha512@openssh.com': sntrupHybrid,
  'curve25519-sha256': curve25519,
  'curve25519-sha256@libssh.org': curve25519,
  'ecdh-sha2-nistp256': ecdh('prime256v1', 'sha256'),
  'ecdh-sha2-nistp384': ecdh('secp384r1', 'sha384'),
  'ecdh-sha2-nistp521': ecdh('secp521r1', 'sha512'),
  'diffie-hellman-group-exchange-sha256': groupExchange,
  'diffie-hellman-group14-sha256': dh('modp14', 'sha256'),
  'diffie-hellman-group16-sha512': dh('modp16', 'sha512'),
  'diffie-hellman-group18-sha512': dh('modp18', 'sha512'),
})
