// The Modbus decoy, as clients and scanners see it on its real port: what each says, and what is reported.
import { HOST } from './lib/product.ts'
import { showDecoys, type ReportedTool } from './lib/reported-tools.ts'
import type { Proof } from './lib/proof.ts'

const mbpoll = (...args: readonly string[]): ReportedTool['command'] => [
  'mbpoll',
  ...['-m', 'tcp', '-p', '502', '-1', ...args.slice(0, -1), HOST, ...args.slice(-1)].filter(Boolean),
]
const nmap = (...args: readonly string[]): ReportedTool['command'] => [
  'nmap',
  ...['-Pn', '-n', '-p', '502', ...args, HOST],
]
const event = (
  logtype: string,
  fields: Readonly<Record<string, unknown>>,
): NonNullable<ReportedTool['incident']> => ({
  logtype,
  fields,
})

const TOOLS: readonly ReportedTool[] = [
  { command: nmap('-sV'), says: [/502\/tcp open +modbus +Modbus TCP/] },
  {
    command: nmap('--script', 'modbus-discover'),
    says: [
      /Device identification: Schneider Electric TM221CE24R V1\.12/,
      /Slave ID data: Schneider Electric/,
    ],
    incident: event('18001', { SFUNC_CODE: 14, SFUNC_NAME: 'Read Device Identification' }),
  },
  {
    command: mbpoll('-a', '1', '-r', '1', '-c', '10', '-t', '4', ''),
    says: [/\[10\]:\s+-?\d+/],
    incident: event('18002', {
      UNIT_ID: 1,
      FUNC_CODE: 3,
      FUNC_NAME: 'Read Holding Registers',
      SFUNC_CODE: '',
      SFUNC_NAME: '',
    }),
  },
  {
    command: mbpoll('-a', '1', '-r', '1', '-t', '4', '4711'),
    says: [/Written 1 references/],
    incident: event('18003', { UNIT_ID: 1, FUNC_CODE: 6, FUNC_NAME: 'Write Single Register' }),
  },
  { command: mbpoll('-a', '1', '-r', '1', '-t', '4', ''), says: [/\[1\]:\s+4711/] },
]

const settings = {
  'modbus.enabled': true,
  'modbus.vendorname': 'Schneider Electric',
  'modbus.productcode': 'TM221CE24R',
  'modbus.majorminorrevision': 'V1.12',
}

const proof: Proof = {
  title: 'mbpoll and nmap take it for a controller, read back what they wrote, and each touch is reported',
  needs: ['nmap', 'mbpoll'],
  isIsolated: true,
  limitMs: 400_000,
  prove: (stage) => showDecoys(settings, [502], TOOLS, stage),
}

export default proof
