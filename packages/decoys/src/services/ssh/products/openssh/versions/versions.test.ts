import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ciphers } from '../../../protocol/cipher/ciphers.ts'
import { descriptor } from '../../../descriptor.ts'
import { kexMethods } from '../../../protocol/kex/methods.ts'
import { macs } from '../../../protocol/mac/mac.ts'
import { defaultVersion, versions } from './all.ts'
import { EXT_INFO, STRICT, type SshVersion } from '../../../protocol/version.ts'

/** HASSHServer: MD5 over key exchange, cipher, MAC and compression names towards the client. */
const hasshServer = ({ offer: { kex, ciphers, macs, compression } }: SshVersion): string =>
  createHash('md5')
    .update([kex, ciphers, macs, compression].map((names) => names.join(',')).join(';'))
    .digest('hex')

test('each version has the HASSHServer of the server that it claims to be', () => {
  expect(Object.fromEntries(versions.map((version) => [version.software, hasshServer(version)]))).toEqual({
    // Computed from the lists in public debug logs of a later package with the same ones.
    'OpenSSH_10.0p2 Debian-7+deb13u4': '671c5858369db8e0a60108d866bbf8ec',
    // Equal to public scans of this package.
    'OpenSSH_9.6p1 Ubuntu-3ubuntu13.18': 'e42184b06d45385a906f0803d04c83da',
    // Taken from the KEXINIT of the package's own sshd.
    'OpenSSH_9.2p1 Debian-2+deb12u10': '425d29fe50d8e4f5e37efb6e24bcf660',
    // Computed from the lists in public debug logs; equal to public scans of 8.9p1 Ubuntu-3ubuntu0.x and 8.4p1 deb11u3.
    'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10': '41ff3ecd1458b0bf86e1b4891636213e',
    'OpenSSH_8.4p1 Debian-5+deb11u3': '779664e66160bf75999f091fce5edb5a',
  })
})

test('every algorithm on offer is implemented', () => {
  for (const { offer } of versions) {
    for (const name of offer.kex)
      expect([STRICT, EXT_INFO].includes(name) || name in kexMethods, name).toBe(true)
    for (const name of offer.ciphers) expect(name in ciphers, name).toBe(true)
    for (const name of offer.macs) expect(name in macs, name).toBe(true)
  }
})

test('the setting offers exactly these versions, that of Debian 12 by default', () => {
  const setting = descriptor.settings['ssh.version']
  expect(setting.choices).toEqual(versions.map(({ software }) => software))
  expect(setting.default).toBe(defaultVersion.software)
})
