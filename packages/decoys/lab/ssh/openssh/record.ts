// Records what an SSH server answers to the probe corpus, one line of JSON a probe.
//   node record.ts <port> > openssh-9.2p1.jsonl
// Run it against the sshd of a version in versions/, in its distribution's default configuration.
import { runProbe } from './probe.ts'
import { probes } from './probes.ts'

const port = Number(process.argv[2])
for (const probe of probes) console.log(JSON.stringify([probe.name, await runProbe(probe, port)]))
