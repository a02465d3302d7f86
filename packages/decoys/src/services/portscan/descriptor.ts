import { describeService } from '../../settings/descriptor.ts'

/** What all say alike, but for those that say otherwise. */
const SCAN = {
  keys: ['ports', 'ID', 'LEN', 'MAC', 'PREC', 'PROTO', 'RES', 'TOS', 'TTL', 'URGP', 'WINDOW'],
  level: 'looked',
  evidence: ['ports', 'MAC', 'TTL'],
  next: [
    'Check whether a scan of your own runs from this address, and put it on the list of scanners if so.',
    'Otherwise find the machine behind the source address: it is looking for what else it can reach.',
  ],
} as const

export const descriptor = describeService({
  service: 'portscan',
  title: 'Port scans',
  settings: {
    'portscan.enabled': { type: 'boolean', default: true, title: 'Port scans are noticed' },
  },
  example: 'nmap -Pn -sV {host}',
  logtypes: [
    {
      ...SCAN,
      logtype: '5001',
      summary: 'Port SYN',
      slug: 'portsyn',
      meaning: 'Someone tried, at least three times in a minute, one to four ports on which nothing listens.',
      next: [
        'Read the ports: they name the service that is looked for.',
        'Check whether a program of your own has a wrong address; otherwise find the machine.',
      ],
    },
    {
      ...SCAN,
      logtype: '5003',
      summary: 'Host Port Scan',
      slug: 'portscan',
      meaning:
        'One source tried at least five ports of the Bird within a minute, or five closed ones in a day.',
    },
    {
      ...SCAN,
      logtype: '5004',
      summary: 'NMAP OS Scan',
      slug: 'nmaposscan',
      meaning: 'A packet came that only tools send which find out the operating system of a machine.',
    },
    {
      ...SCAN,
      logtype: '5005',
      summary: 'NMAP NULL Scan',
      slug: 'nmapnullscan',
      meaning: 'Segments without any flag came, which only scanning tools send.',
    },
    {
      ...SCAN,
      logtype: '5006',
      summary: 'NMAP XMAS Scan',
      slug: 'nmapxmasscan',
      meaning: 'Segments with FIN, PSH and URG came, which only scanning tools send.',
    },
    {
      ...SCAN,
      logtype: '5008',
      summary: 'NMAP FIN Scan',
      slug: 'nmapfinscan',
      meaning: 'Segments with FIN and no other flag came, which only scanning tools send.',
    },
  ],
})
