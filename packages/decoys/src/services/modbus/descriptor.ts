import { describeService, PRINTABLE_ASCII } from '../../settings/descriptor.ts'

const KEYS = ['UNIT_ID', 'FUNC_CODE', 'FUNC_NAME', 'SFUNC_CODE', 'SFUNC_NAME'] as const
const FIND = 'Find the machine behind the source address and ask its owner.'

/** A text of the device's identification, drawn for the Bird while it is empty. */
const named = (title: string) =>
  ({
    type: 'text',
    default: '',
    title,
    maxLength: 80,
    format: PRINTABLE_ASCII,
    whenEmpty: 'That of a device which is drawn for the Bird.',
  }) as const

export const descriptor = describeService({
  service: 'modbus',
  title: 'Modbus',
  transport: 'tcp',
  example: 'mbpoll -m tcp -p {port} -a 1 -r 1 -c 10 -t 4 -1 {host}',
  scanLine: '{port}/tcp open modbus Modbus TCP (gateway)',
  judgedBy:
    'No real controller was there to compare it with: its judges are the Modbus specifications, and mbpoll and nmap as clients.',
  settings: {
    'modbus.enabled': { type: 'boolean', default: false, title: 'Modbus answers' },
    'modbus.majorminorrevision': named('Revision of the device'),
    'modbus.modelname': named('Name of its model'),
    'modbus.port': { type: 'port', default: 502, title: 'Port of Modbus' },
    'modbus.productcode': named('Code of its product'),
    'modbus.productname': named('Name of its product'),
    'modbus.userapplicationname': named('Name of the application that runs on it'),
    'modbus.vendorname': named('Name of its vendor'),
    'modbus.vendorurl': named('Web address of its vendor'),
  },
  logtypes: [
    {
      logtype: '18001',
      summary: 'ModBus Request: Query',
      slug: 'modbusquery',
      keys: KEYS,
      level: 'looked',
      evidence: ['FUNC_NAME', 'UNIT_ID'],
      meaning: 'Someone asked a controller that controls nothing what it is.',
      next: [FIND],
    },
    {
      logtype: '18002',
      summary: 'ModBus Request: Read',
      slug: 'modbusread',
      keys: KEYS,
      level: 'looked',
      evidence: ['FUNC_NAME', 'UNIT_ID'],
      meaning: 'Someone read the registers of a controller that controls nothing.',
      next: [FIND],
    },
    {
      logtype: '18003',
      summary: 'ModBus Request: Write',
      slug: 'modbuswrite',
      keys: KEYS,
      level: 'tried',
      evidence: ['FUNC_NAME', 'UNIT_ID'],
      meaning: 'Someone tried to change what a controller does; this one controls nothing.',
      next: [FIND, 'Look at your real controllers: what was written here may have been written there.'],
    },
  ],
})
