// Personalities: which services a machine of that kind shows. Pure data; loads in a browser.
import { JETDIRECT } from '../services/tcpbanner/jetdirect.ts'

export interface BuiltInPersonality {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The services that it switches on; all others are off. */
  readonly services: readonly string[]
  /** What differs from their default settings. */
  readonly settings?: Readonly<Record<string, boolean | number | string>>
  /** What nmap prints of a service that is another product on this machine than by itself, by service; as `scanLine`. */
  readonly scanLines?: Readonly<Record<string, string>>
}

/** What a new Bird shows. */
export const STARTING_PERSONALITY: BuiltInPersonality = {
  name: 'default',
  title: 'Starting personality',
  description: 'What a new Bird shows: SSH, a web server, FTP and Redis.',
  services: ['ssh', 'http', 'ftp', 'redis'],
}

const ALL: readonly BuiltInPersonality[] = [
  STARTING_PERSONALITY,
  {
    name: 'linux-server',
    title: 'Linux server',
    description: 'A Debian machine with SSH, and FTP for the exchange of files.',
    services: ['ssh', 'ftp'],
  },
  {
    name: 'web-server',
    title: 'Web server',
    description: 'A Debian machine with Apache, which redirects to TLS, administered over SSH.',
    services: ['ssh', 'http', 'https'],
    settings: { 'http.skin': 'apache-default', 'https.redirect_http.enabled': true },
  },
  {
    name: 'linux-database',
    title: 'Linux database server',
    description: 'A Debian machine with a database and Redis, administered over SSH.',
    services: ['dbsrv_b', 'redis', 'ssh'],
  },
  {
    name: 'windows-file-server',
    title: 'Windows file server',
    description: 'A Windows Server 2019 with one share, and nothing else that its firewall lets through.',
    services: ['smb'],
    settings: { 'smb.mode': 'windows-server-2019' },
  },
  {
    name: 'windows-sql-server',
    title: 'Windows database server',
    description: 'A Windows Server 2019 with SQL Server, and a share for its backups.',
    services: ['dbsrv_a', 'smb'],
    settings: { 'smb.mode': 'windows-server-2019', 'smb.sharename': 'Backup' },
  },
  {
    name: 'windows-workstation',
    title: 'Windows workstation',
    description: 'A Windows 10 whose desktop can be reached over VNC, with a shared folder.',
    services: ['smb', 'vnc'],
    settings: { 'smb.mode': 'windows-10', 'smb.sharename': 'Shared' },
  },
  {
    name: 'nas',
    title: 'Network storage',
    description: 'A network storage on Debian: its pages, Samba and FTP for files, SSH for its maker.',
    services: ['http', 'smb', 'ftp', 'ssh'],
    settings: { 'http.skin': 'nas', 'smb.mode': 'samba' },
    scanLines: { smb: '{port}/tcp open netbios-ssn Samba smbd 4.6.2' },
  },
  {
    name: 'developer',
    title: 'Developer machine',
    description:
      'A Debian machine of a developer: SSH, git daemon, Redis, and a proxy that wants a password.',
    services: ['ssh', 'git', 'redis', 'httpproxy'],
  },
  {
    name: 'printer',
    title: 'Printer',
    description: 'A network printer: its pages, SNMP for drivers, its raw port, and TFTP for firmware.',
    services: ['http', 'snmp', 'tcpbanner', 'tftp'],
    settings: { 'http.skin': 'printer', ...JETDIRECT.settings },
    scanLines: {
      http: '{port}/tcp open http Debut embedded httpd 1.20 (Brother/HP printer http admin)',
      snmp: '{port}/udp open snmp SNMPv1 server; Brother Industries, Ltd. SNMPv3 server (public)',
      tcpbanner: '{port}/tcp open jetdirect?',
    },
  },
  {
    name: 'phone-system',
    title: 'Phone system',
    description: 'An Asterisk on Debian, with a web page, and SSH for its administrator.',
    services: ['sip', 'http', 'ssh'],
    settings: { 'http.skin': 'apache-default' },
  },
  {
    name: 'router',
    title: 'Router',
    description: 'A VDSL gateway: its pages, Telnet of its BusyBox, SNMP, and its configuration by TFTP.',
    services: ['telnet', 'http', 'snmp', 'tftp'],
    settings: { 'http.skin': 'router' },
    scanLines: {
      http: '{port}/tcp open http lighttpd 1.4.69',
      telnet: '{port}/tcp open telnet BusyBox telnetd',
    },
  },
  {
    name: 'plc',
    title: 'Controller (PLC)',
    description:
      'A controller of a plant, one of ten: Modbus, a web page that wants a password, and SNMP. All three name the same device.',
    services: ['modbus', 'http', 'snmp'],
    settings: { 'http.skin': 'basic-auth' },
    scanLines: {
      http: '{port}/tcp open http Apache httpd',
      snmp: '{port}/udp open snmp SNMPv1 server (public)',
    },
  },
]

/** Those whose services all exist. */
export const builtInPersonalities = (
  services: readonly { readonly service: string }[],
): readonly BuiltInPersonality[] => {
  const existing = new Set(services.map(({ service }) => service))
  return ALL.filter((personality) => personality.services.every((service) => existing.has(service)))
}

/** Its settings where they differ from the defaults. */
export const personalitySettings = ({
  services,
  settings,
}: Pick<BuiltInPersonality, 'services' | 'settings'>): Record<string, boolean | number | string> => ({
  ...Object.fromEntries(services.map((service) => [`${service}.enabled`, true])),
  ...settings,
})

/** Names that no saved personality may have. */
export const isBuiltInName = (name: string): boolean => ALL.some((personality) => personality.name === name)
