import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'signed-exe',
  name: 'Signed program',
  shelf: 'Files and folders',
  keywords: ['exe', 'dll', 'windows', 'program', 'binary', 'authenticode', 'signature', 'installer', 'tool'],
  firedBy:
    'Windows examines the signature of the program, when somebody starts it or opens its properties: it looks up where the certificate may have been revoked.',
  silencedBy:
    'It stays silent on a machine that has examined the same signature within some days, where policies turn examination off, on other systems, and where the zone of token names is not delegated to the console.',
  placement: [
    'Put it on a file share or among the tools of an administrator, under the name of a program that people look for.',
    'Keep a copy of a program of your own next to the real one, where nobody has a reason to start it.',
    'Leave it on a server that should run nothing new.',
  ],
  logtype: '17008',
  keys: ['via', ...LOOK_UP_KEYS, ...REQUEST_KEYS],
  evidence: ['via', 'client_subnet'],
  meaning:
    'Somebody started the program that the memo names, or looked at its properties. The source address is the resolver that asked for them.',
  next: [
    'Ask the resolver at the source address, or its log, which machine looked the name up at that time.',
    'Isolate that machine, and look at what else it read in the place of the program.',
    'If a malware scanner of yours opened the program to examine it, ignore its resolver.',
  ],
  downloads: true,
  kept: 'exe',
  example: {
    settings: { exe: '@packages/tokens/src/kinds/signed-exe/golden/setup.exe' },
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short A "$(field renders.hostname)"',
  },
  settings: {
    exe: {
      type: 'file',
      description: 'The program or library to sign; it stays as it is, and an earlier signature goes',
      required: true,
      maxBytes: 10 * 1024 * 1024,
      formats: ['pe'],
    },
    exe_publisher: {
      type: 'text',
      description: 'The publisher whom the signature names; without it one is invented',
      maxLength: 64,
    },
  },
})
