// Records what an SSH server answers to the probe corpus, one JSON line for each probe:
//   node record.ts <port> > ../golden/openssh-9.2p1.jsonl
// Run it against the sshd that a version claims to be, in its distribution's default configuration.
import { runProbe } from './probe.ts'
import { probes } from './probes.ts'

const port = Number(process.argv[2])
for (const probe of probes) console.log(JSON.stringify([probe.name, await runProbe(probe, port)]))
