import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'os-dir',
  name: 'Windows folder',
  shelf: 'Files and folders',
  keywords: [
    'windows',
    'folder',
    'directory',
    'desktop.ini',
    'explorer',
    'share',
    'unc',
    'shortcut',
    'lnk',
    'zip',
  ],
  firedBy:
    'The folder is opened in the Windows Explorer: it looks up a host whose name says user, computer and domain. A shortcut does so whenever it is opened, an internet shortcut when it is shown, a library without these names.',
  silencedBy:
    'It stays silent on Windows versions and under policies that load no icons from the network (a shortcut and a library need none), on a folder that lost its system attribute, on other systems, and where the zone of token names is not delegated.',
  placement: [
    'Unpack it with the Explorer onto a file share, under a name such as "Salaries" or "Passwords".',
    'Put it among the folders of an administrator, or on a machine that nobody should browse.',
    'Put a shortcut or a library on a desktop or a share, among others that lead to file servers.',
  ],
  logtype: '16006',
  keys: ['user', 'computer', 'domain', ...LOOK_UP_KEYS, ...REQUEST_KEYS],
  evidence: ['user', 'computer', 'domain', 'client_subnet'],
  meaning:
    'Somebody opened the folder with the Windows Explorer, as the user and on the computer that the event names. The source address is the resolver that asked for them.',
  next: [
    'Ask the user what they looked for in the folder, or isolate the computer if it was not them.',
    'Ask the resolver at the source address, or its log, which machine looked the name up at that time.',
    'Look at what else that user and that computer opened on the share.',
  ],
  downloads: true,
  lookUpCharacters: 57,
  example: {
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short A "alice.pc-17.corp.ini.$(field hostname)"',
  },
  settings: {
    os_dir_file: {
      type: 'choice',
      description:
        'What is downloaded: a folder in a ZIP archive, a shortcut, an internet shortcut, or a library',
      choices: ['folder', 'lnk', 'url', 'library-ms'],
    },
  },
})
