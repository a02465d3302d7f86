// The SIP decoy, as scanners of telephone systems see it on its real port: what each says, and what is reported.
import { HOST } from './lib/product.ts'
import { showDecoys, type ReportedTool } from './lib/reported-tools.ts'
import type { Proof } from './lib/proof.ts'

const incident = { logtype: '15001', fields: {} }

const TOOLS: readonly ReportedTool[] = [
  {
    command: ['nmap', '-Pn', '-n', '-sU', '-sV', '-p', '5060', HOST],
    says: [/5060\/udp open +sip(?:-proxy)? +Asterisk PBX/],
  },
  {
    command: ['nmap', '-Pn', '-n', '-sV', '-p', '5060', HOST],
    says: [/5060\/tcp open +sip(?:-proxy)? +Asterisk PBX/],
  },
  { command: ['sipsak', '-vv', '-s', `sip:100@${HOST}:5060`], says: [/401 Unauthorized/], incident },
  { command: ['svmap', '-P', '5090', '-p', '5060', HOST], says: [/Asterisk PBX/], incident },
]

const proof: Proof = {
  title: 'nmap, sipsak and svmap take it for an Asterisk, by UDP and TCP, and each touch is reported',
  needs: ['nmap', 'sipsak', 'svmap'],
  isIsolated: true,
  limitMs: 400_000,
  prove: (stage) => showDecoys({ 'sip.enabled': true }, [5060], TOOLS, stage),
}

export default proof
