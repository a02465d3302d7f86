// Ports with banners of the owner's choice, as nmap and a client see them: what each says, and what is reported.
import { descriptor } from '../../packages/decoys/src/services/tcpbanner/descriptor.ts'
import { HOST } from './lib/product.ts'
import { showDecoys, type ReportedTool } from './lib/reported-tools.ts'
import type { Proof } from './lib/proof.ts'

const scan = (port: number, says: RegExp): ReportedTool => ({
  command: ['nmap', '-Pn', '-n', '-sV', '-p', String(port), HOST],
  says: [says],
})

const touch = (port: number, data: string, says: RegExp, logtype: string, fields: object): ReportedTool => ({
  command: ['bash', '-c', `exec 3<>/dev/tcp/${HOST}/${port}; printf '${data}' >&3; timeout 1 cat <&3; true`],
  says: [says],
  incident: { logtype, fields: { ...fields } },
})

const ROWS: readonly ReportedTool[] = [
  scan(25, /25\/tcp open +smtp +Postfix smtpd/),
  scan(110, /110\/tcp open +pop3/),
  scan(6000, /6000\/tcp open +X11 +\(access denied\)/),
  touch(25, 'EHLO relay\\r\\n', /^220 mail\.example\.com ESMTP Postfix .*\r\n502 5\.5\.2 /, '20002', {
    BANNER_ID: '2',
    DATA: 'EHLO relay\\r\\n',
  }),
  touch(9100, '@PJL INFO ID\\r\\n', /"Brother MFC-8860DN"/, '20002', {
    BANNER_ID: '4',
    DATA: '@PJL INFO ID\\r\\n',
    FUNCTION: 'DATA_RECEIVED',
  }),
  touch(25, 'QUIT\\r\\n', /^220 /, '20001', { BANNER_ID: '2', FUNCTION: 'CONNECTION_MADE' }),
  touch(8001, 's3cret\\nwell', /^pong$/, '20004', { BANNER_ID: '1', FUNCTION: 'KEEP_ALIVE_SECRET_RECEIVED' }),
  touch(8001, 's3cret\\nwell', /^pong$/, '20003', { BANNER_ID: '1', FUNCTION: 'KEEP_ALIVE_CONNECTION_MADE' }),
  touch(8001, 's3cret\\nwell', /^pong$/, '20005', { BANNER_ID: '1', DATA: 'well' }),
  // One line: the shell writes each by itself, and the first that comes is refused.
  touch(8001, 'GET / HTTP/1.0\\r\\n', /^$/, '20006', { BANNER_ID: '1', DATA: 'GET / HTTP/1.0\\r\\n' }),
]

/** The presets, from the second instance on; the first has a monitor. */
const settings = {
  'tcpbanner.enabled': true,
  'tcpbanner_1.datareceivedbanner': 'pong',
  'tcpbanner_1.keep_alive.enabled': true,
  'tcpbanner_1.keep_alive_secret': 's3cret\\n',
  ...Object.fromEntries(
    descriptor.presets.flatMap((preset, at) => [
      [`tcpbanner_${at + 2}.enabled`, true],
      ...Object.entries(preset.settings).map(([key, value]) => [
        key.replace('tcpbanner_1', `tcpbanner_${at + 2}`),
        value,
      ]),
    ]),
  ),
}

const proof: Proof = {
  title: 'nmap takes banners for what they say, and each touch is reported with the number of its banner',
  needs: ['nmap', 'bash'],
  isIsolated: true,
  limitMs: 400_000,
  prove: (stage) => showDecoys(settings, [6000], ROWS, stage),
}

export default proof
