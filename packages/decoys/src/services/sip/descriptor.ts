import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'sip',
  title: 'SIP',
  transport: 'udp',
  isOnBoth: true,
  answerBytes: 1_472,
  example: 'sipsak -vv -s sip:100@{host}:{port}',
  scanLine: '{port}/udp open sip-proxy Asterisk PBX 20.5.2',
  judgedBy:
    'No real Asterisk was there to compare it with, since Debian 12 has none: its judges are RFC 3261, Asterisk’s documents, and sipsak, SIPVicious and nmap as clients.',
  settings: {
    'sip.enabled': { type: 'boolean', default: false, title: 'SIP answers' },
    'sip.port': { type: 'port', default: 5060, title: 'Port of SIP' },
  },
  logtypes: [
    {
      logtype: '15001',
      summary: 'SIP Request',
      slug: 'sip',
      keys: ['HEADERS'],
      level: 'tried',
      evidence: ['HEADERS'],
      meaning: 'Someone tried to reach a telephone system that connects no calls.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If an Authorization among the headers names a user of yours, change that password: its digest can be cracked.',
      ],
    },
  ],
})
