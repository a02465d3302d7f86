// Personalities, the one machine that a Bird claims to be, and a file server step by step, as part of the page of decoys.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { builtInPersonalities, personalitySettings } from '@rookery/decoys/settings/personalities.ts'
import { block, code, stacked, table } from './markdown.ts'

const NODE_ID = '3f1c9a5e7b2d4860'
const FILE_TREE = [
  {
    name: 'Finance',
    type: 'directory',
    children: [
      { name: 'Budget 2026.xlsx', type: 'file', modified: '2026-03-31' },
      { name: 'Salaries.docx', type: 'file' },
    ],
  },
  { name: 'Projects', type: 'directory', children: [{ name: 'Minutes.docx', type: 'file' }] },
]

export const personalitySections = (): readonly string[] => [
  stacked(
    '## Personalities',
    'A personality switches on the decoys that a machine of its kind has, and switches off all others. What it does not name gets its default.',
    table(
      ['Personality', 'What it is', 'Settings that differ from the defaults'],
      builtInPersonalities(descriptors).map((personality) => [
        code(personality.name),
        personality.description,
        Object.entries(personalitySettings(personality))
          .map(([key, value]) => code(`${key}=${value}`))
          .join(' '),
      ]),
    ),
    block('sh', `rookery api device/configure_personality --node_id ${NODE_ID} --personality nas`),
    `${code('rookery api devices/all')} has the ids of your Birds. A Bird’s own settings, saved by ${code('device/configure')} with ${code('custom_personality_name')}, are a personality too.`,
  ),
  stacked(
    '## One machine',
    'All decoys of a Bird tell of one machine: the same host name, users, kernel, hardware address, day of installation and last start, in greetings, certificates and the answers of SMB and Redis. They follow from a seed that only this Bird has, so that no two Birds share them, and they stay when it restarts. The last start moves on every 20 to 84 days.',
    `The Bird’s name and description in the console are for you alone: an intruder sees nothing of them, and nothing changes when you change them. ${code('smb.netbiosname')} names a Windows yourself.`,
    `A printer, a router and a PLC are one device to all of their decoys: model, serial number, firmware and interfaces. ${code('http.skin')} makes a printer or a router while its pages or SNMP are on; Modbus makes a PLC, one of ten that is drawn for the Bird, or the one that ${code('modbus.vendorname')} and its like name.`,
    `Decoys of Linux claim Debian 12. An ${code('ssh.version')} of another release fits a machine whose other decoys are off, or FTP.`,
    `The IP stack is that of the machine on which the Bird runs: a Linux, as the personalities of Linux claim (${code('nmap -O')} of 2022 names no system where the kernel is much newer than its list). Where the Bird has a network namespace of its own, such as a container, ${code('ROOKERY_BIRD_IP_STACK=claimed')} lets it set TTL, timestamps and window scale of this namespace as root or with CAP_NET_ADMIN; where it may not, its log and ${code('rookery doctor')} say what to set. They are then those of Windows (128, none, 8) or of Debian 12 (64, on, 7), as the decoys claim.`,
    `${code('nmap -O')} does not take it for a Windows even so: the order of TCP’s options (${code('MNNSNW')} where Windows has ${code('MNWNNS')}), the window itself, the numbering of packets and the answers to broken segments are those of the Linux kernel, which has no setting for them. Nobody answers by mDNS or LLMNR.`,
  ),
  stacked(
    '## A Windows file server, step by step',
    'Two folders of files. Without `size`, a file is as long as such files are; documents open, and `modified` is drawn where it is missing.',
    block(
      'sh',
      [
        `rookery api device/configure_personality --node_id ${NODE_ID} --personality windows-file-server \\`,
        "  --additional_settings @- <<'JSON'",
        JSON.stringify({ 'smb.filetree': FILE_TREE }),
        'JSON',
      ].join('\n'),
    ),
    'Then open one of them, as any user, from a machine with Samba’s client:',
    block('sh', `smbclient //192.0.2.10/Documents -U eve%secret -c 'ls; cd Finance; get "Budget 2026.xlsx"'`),
    'Or mount the share, as root:',
    block('sh', 'mount -t cifs //192.0.2.10/Documents /mnt -o username=eve,password=secret,vers=3.1.1'),
    'Within a second there are three incidents with the user and the address of the source: 5010 (the login), 5014 (the share), 5000 (the file, in `FILENAME`).',
    block('sh', 'rookery api incidents/unacknowledged'),
    'The Bird that `rookery up` runs by itself has every port 20000 higher, so its share is at 20445 (`smbclient -p 20445`, `mount -o port=20445`). Ports below 1024 take `--port-offset 0` and root, or CAP_NET_BIND_SERVICE.',
  ),
]
