import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'sensitive-cmd',
  name: 'Sensitive command',
  shelf: 'Hosts and networks',
  keywords: ['command', 'process', 'windows', 'registry', 'linux', 'macos', 'whoami', 'klist', 'mimikatz'],
  firedBy:
    'Somebody runs a program that nobody runs at work: on Windows the look-up comes when it ends, elsewhere when it starts.',
  silencedBy:
    'It stays silent where the program runs under another name, the machine resolves no foreign names, or a virus scanner has removed the registry keys.',
  placement: [
    'Import the .reg file as an administrator on servers where nobody runs whoami, klist or nltest by hand.',
    'Save the script under the name of the program in /usr/local/bin of a Linux or macOS host, mode 755.',
  ],
  logtype: '16011',
  keys: [
    'computer',
    'user',
    'process',
    'invocation_id',
    'qname',
    'qtype',
    'src_host_is_resolver',
    'client_subnet',
    'replays',
    'replayed_from',
  ],
  evidence: ['process', 'user', 'computer'],
  meaning:
    'A program that intruders use to look around was run on the named computer, by the named user. The source address is the resolver of that computer.',
  next: [
    'Ask the user whether they ran it, by a way that does not lead over that computer.',
    'Look at what ran on the computer just before: the parent of the process, and who was logged in.',
    'If nobody can explain it, isolate the computer.',
  ],
  downloads: true,
  lookUpCharacters: 117,
  example: {
    settings: { process_name: 'whoami' },
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short A "cDB1.UN.uroot.CMD.abcdefgh.$(field hostname)"',
  },
  settings: {
    process_name: {
      type: 'list',
      description: 'Name of the program, such as klist.exe, or up to 20 names',
      required: true,
      maxItems: 20,
      maxLength: 64,
      characters: 'A-Za-z0-9_.-',
    },
  },
})
