import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'snmp',
  title: 'SNMP',
  transport: 'udp',
  answerBytes: 1_472,
  example: 'snmpwalk -v2c -c public {host}:{port}',
  scanLine: '{port}/udp open snmp SNMPv1 server; net-snmp SNMPv3 server (public)',
  settings: {
    'snmp.enabled': { type: 'boolean', default: false, title: 'SNMP answers' },
    'snmp.port': { type: 'port', default: 161, title: 'Port of SNMP' },
  },
  logtypes: [
    {
      logtype: '13001',
      summary: 'SNMP Request',
      slug: 'snmp',
      keys: ['COMMUNITY_STRING', 'REQUESTS', 'USER'],
      level: 'tried',
      evidence: ['COMMUNITY_STRING', 'REQUESTS', 'USER'],
      meaning: 'Someone asked a machine about itself over SNMP, which nobody here manages so.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If it manages your network, tell it to leave this address out.',
        'If the community string is in use anywhere, change it there.',
      ],
    },
  ],
})
