// The small decoys on their real ports: what clients of git, proxies, SNMP, NTP and TFTP print, and what is reported.
import { HOST } from './lib/product.ts'
import { showDecoys, type ReportedTool } from './lib/reported-tools.ts'
import type { Proof } from './lib/proof.ts'

/** The end of a tool that is refused is no failure of the proof. */
const bash = (line: string): ReportedTool['command'] => ['bash', '-c', `${line} 2>&1 || true`]
const SHA256 = /^[\da-f]{64}$/

const TOOLS: readonly ReportedTool[] = [
  {
    command: bash(`git ls-remote git://${HOST}/payroll.git`),
    needs: ['git'],
    says: [/access denied or repository not exported: \/payroll\.git/],
    incident: { logtype: '19001', fields: { HOST, REPO: '/payroll.git' } },
  },
  {
    command: bash(`curl -si -A nightly -x http://alice:hunter2@${HOST}:3128 http://192.0.2.9/build`),
    needs: ['curl'],
    says: [/407 Proxy Authentication Required/],
    incident: {
      logtype: '7001',
      fields: { URL: 'http://192.0.2.9/build', USERAGENT: 'nightly', USERNAME: 'alice', PASSWORD: 'hunter2' },
    },
  },
  {
    command: bash(`snmpget -v2c -c public ${HOST} 1.3.6.1.2.1.1.5.0`),
    needs: ['snmpwalk'],
    says: [/1\.5\.0 = STRING/],
    incident: { logtype: '13001', fields: { COMMUNITY_STRING: 'public', REQUESTS: '1.3.6.1.2.1.1.5.0' } },
  },
  {
    command: bash(`snmpget -v3 -l noAuthNoPriv -u monitor ${HOST} 1.3.6.1.2.1.1.5.0`),
    needs: ['snmpwalk'],
    says: [/Unknown user name/i],
    incident: { logtype: '13001', fields: { COMMUNITY_STRING: '', USER: 'monitor' } },
  },
  {
    command: ['nmap', '-Pn', '-n', '-sU', '-p', '123', '--script', 'ntp-info', HOST],
    says: [/123\/udp open +ntp/],
    incident: { logtype: '11001', fields: { NTP_CMD: /./ } },
  },
  {
    command: bash(`curl -s tftp://${HOST}/network-confg; echo $?`),
    needs: ['curl'],
    says: [/68/],
    incident: { logtype: '10001', fields: { FILENAME: 'network-confg', OPCODE: 'READ', MODE: 'octet' } },
  },
  {
    command: bash(`head -c 700 /dev/zero > "$TMPDIR/a"; curl -s -T "$TMPDIR/a" tftp://${HOST}/a; echo $?`),
    needs: ['curl'],
    says: [/0/],
    incident: { logtype: '10001', fields: { FILENAME: 'a', OPCODE: 'WRITE', SIZE: 700, SHA256 } },
  },
]

const settings = Object.fromEntries(
  ['git', 'httpproxy', 'snmp', 'ntp', 'tftp'].map((service) => [`${service}.enabled`, true]),
)

const proof: Proof = {
  title: 'git, curl, snmpget and nmap take each small decoy for its server, and each touch is reported',
  needs: ['bash', 'nmap'],
  isIsolated: true,
  limitMs: 400_000,
  prove(stage) {
    const env = { ...process.env, TMPDIR: stage.folder }
    return showDecoys(
      settings,
      [9418, 3128],
      TOOLS.map((tool) => ({ ...tool, env })),
      stage,
    )
  },
}

export default proof
