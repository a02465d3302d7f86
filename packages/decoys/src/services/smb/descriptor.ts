import { describeService, type TextFormat } from '../../settings/descriptor.ts'

const NETBIOS_NAME: TextFormat = {
  pattern: '(?:[A-Za-z0-9][A-Za-z0-9-]*)?',
  expectation: 'letters, digits and hyphens, or empty',
}
const DOMAIN_NAME: TextFormat = {
  pattern: '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+)?',
  expectation: 'a domain name such as corp.example.net, or empty',
}
const SHARE_NAME: TextFormat = {
  pattern:
    '(?!(?:[Ii][Pp][Cc]|[Aa][Dd][Mm][Ii][Nn]|[Cc])\\$$)[^"\\\\/\\[\\]:|<>+=;,?*\\p{Cc}]*[^"\\\\/\\[\\]:|<>+=;,?*\\p{Cc}\\s][^"\\\\/\\[\\]:|<>+=;,?*\\p{Cc}]*',
  expectation: 'a name that Windows allows for a share, and none of its own',
}
const ONE_LINE: TextFormat = { pattern: '[^\\p{Cc}\\u2028\\u2029]*', expectation: 'one line' }

const WHO_KEYS = ['USER', 'DOMAIN', 'LOCALNAME', 'REMOTENAME', 'SMBVER', 'SMBARCH', 'STATUS'] as const

export const descriptor = describeService({
  service: 'smb',
  title: 'Windows file share',
  transport: 'tcp',
  portsBesides: [
    { transport: 'tcp', port: 139 },
    { transport: 'udp', port: 137, answerBytes: 232 },
    { transport: 'udp', port: 138 },
  ],
  settings: {
    'smb.advanced.enabled': { type: 'boolean', default: false, title: 'Use the advanced settings' },
    'smb.advanced.preferred_dc.enabled': {
      type: 'boolean',
      default: false,
      title: 'Ask preferred domain controllers',
      noEffect: 'No Bird of this release asks a domain controller: no password is right.',
    },
    'smb.advanced.preferred_dc.servers': {
      type: 'text',
      default: '',
      title: 'Preferred domain controllers',
      maxLength: 1_000,
      format: ONE_LINE,
      noEffect: 'No Bird of this release asks a domain controller: no password is right.',
    },
    'smb.advanced.serversigning': {
      type: 'choice',
      default: 'auto',
      title: 'Whether messages must be signed; an advanced setting',
      choices: ['auto', 'mandatory'],
    },
    'smb.domain': {
      type: 'text',
      default: '',
      title: 'DNS name of the domain, if the machine is a member of one',
      maxLength: 200,
      format: DOMAIN_NAME,
    },
    'smb.enabled': { type: 'boolean', default: false, title: 'Answer as a Windows file server' },
    'smb.filetree': {
      type: 'tree',
      default: [],
      title: 'Files and folders of the share',
      whenEmpty: 'Intruders see the files of a small office that are drawn for the Bird.',
    },
    'smb.guest.enabled': {
      type: 'boolean',
      default: true,
      title: 'Unknown users are guests who may read the share',
    },
    'smb.mode': {
      type: 'choice',
      default: 'windows-server-2019',
      title: 'The system that it claims to be',
      choices: ['windows-server-2019', 'windows-10', 'samba'],
    },
    'smb.netbios_domain.enabled': {
      type: 'boolean',
      default: false,
      title: 'The machine is a member of the domain',
    },
    'smb.netbiosname': {
      type: 'text',
      default: '',
      title: 'Name of the machine',
      whenEmpty: 'The machine has the name of `device.host_name`, or one that is drawn for the Bird.',
      maxLength: 15,
      format: NETBIOS_NAME,
    },
    'smb.port': { type: 'port', default: 445, title: 'Port', mayBeMissing: true },
    'smb.serverstring': {
      type: 'text',
      default: '',
      title: 'Comment of the server',
      maxLength: 256,
      format: ONE_LINE,
    },
    'smb.sharecomment': {
      type: 'text',
      default: '',
      title: 'Comment of the share',
      maxLength: 256,
      format: ONE_LINE,
    },
    'smb.sharename': {
      type: 'text',
      default: 'Documents',
      title: 'Name of the share',
      maxLength: 80,
      format: SHARE_NAME,
    },
    'smb.workgroup': {
      type: 'text',
      default: 'WORKGROUP',
      title: 'Workgroup, or short name of the domain',
      maxLength: 15,
      format: NETBIOS_NAME,
    },
  },
  example: 'smbclient -p {port} -U guest% //{host}/Documents -c ls',
  scanLine: '{port}/tcp open microsoft-ds?',
  judgedBy:
    'No real Windows was there to compare it with: its judges are Microsoft’s documents and the tools of intruders.',
  logtypes: [
    {
      logtype: '5000',
      summary: 'Shared File Opened',
      slug: 'smbfileopen',
      keys: [...WHO_KEYS, 'SHARENAME', 'FILENAME', 'AUDITACTION', 'MODE', 'OFFSET', 'SIZE'],
      level: 'used',
      evidence: ['USER', 'FILENAME', 'AUDITACTION', 'REMOTENAME'],
      meaning: 'Someone opened, read or tried to change a file of a share that nobody works with.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'Look at the other files that it opened: they show what was searched for.',
      ],
    },
    {
      logtype: '5010',
      summary: 'File Share Login',
      slug: 'smblogin',
      keys: [...WHO_KEYS, 'LOGINTYPE', 'RESPONSE'],
      level: 'tried',
      evidence: ['USER', 'DOMAIN', 'REMOTENAME', 'RESPONSE'],
      meaning: 'Someone tried to log in to the file share of a machine that nobody uses.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the user exists, change the password: the response can be tried against word lists.',
      ],
    },
    {
      logtype: '5013',
      summary: 'Group Enumeration',
      slug: 'smbenum',
      keys: [...WHO_KEYS, 'AUDITACTION'],
      level: 'looked',
      evidence: ['USER', 'AUDITACTION', 'REMOTENAME'],
      meaning: 'Someone asked the machine for its users and groups, as tools do before an attack.',
      next: [
        'Check whether a scan of your own runs from this address.',
        'Otherwise find the machine behind the source address.',
      ],
    },
    {
      logtype: '5014',
      summary: 'Share Connection',
      slug: 'smbconnect',
      keys: [...WHO_KEYS, 'SHARENAME', 'AUDITACTION'],
      level: 'looked',
      evidence: ['USER', 'SHARENAME', 'REMOTENAME'],
      meaning: 'Someone connected to a share of the machine, or asked for the list of shares.',
      next: [
        'Check whether a scan of your own runs from this address.',
        'Otherwise find the machine behind the source address.',
      ],
    },
    {
      logtype: '5015',
      summary: 'Registry',
      slug: 'smbregistry',
      keys: [...WHO_KEYS, 'AUDITACTION'],
      level: 'tried',
      evidence: ['USER', 'AUDITACTION', 'REMOTENAME'],
      meaning: 'Someone tried to reach the registry of the machine over the network.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'Search your own machines for logins from that address.',
      ],
    },
  ],
})
