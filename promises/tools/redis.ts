// The decoy redis next to Debian's redis-server: scanners, a guesser and its own client print the same.
// Without ncrack: version 0.7 never ends at a server that asks for no password, the real one included.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, realServers } from '../../packages/decoys/test/real-servers.ts'
import { compareTools, type ComparedTool, type Mask } from './lib/side-by-side.ts'
import type { Proof } from './lib/proof.ts'

/** What INFO says of a process and its machine. */
const FIGURES: readonly Mask[] = [
  { name: 'process', pattern: /(?<=Process ID: ).*/ },
  { name: 'CPU', pattern: /(?<=Used CPU \((?:sys|user)\): ).*/ },
  { name: 'memory', pattern: /(?<=Used memory: ).*/ },
  { name: 'kernel', pattern: /(?<=Operating System: Linux ).*/ },
  // Ours is bound as people bind it who open it to a network.
  { name: 'addresses that it is bound to', pattern: /(?<=Bind addresses: *\n)(?:\|[ _] {4}\S+\n)+/ },
]

/** The real one has the proof's, ours that of Debian's package. */
const DATA_FOLDER: Mask = { name: 'data folder', pattern: /^(?:\/tmp\/\S+\/redis|\/var\/lib\/redis)$/ }

const scan = (says: RegExp, ...args: readonly string[]): ComparedTool => ({
  command: (host) => ['nmap', '-Pn', '-n', '-p', '6379', ...args, host],
  says,
  masks: FIGURES,
  isUnordered: true,
  incident: { logtype: '21001', fields: { CMD: 'INFO' } },
})

const client = (says: RegExp, ...args: readonly [CMD: string, ...string[]]): ComparedTool => ({
  command: (host) => ['redis-cli', '-h', host, ...args],
  says,
  masks: [DATA_FOLDER],
  incident: { logtype: '21001', fields: { CMD: args[0], ARGS: args.slice(1).join(' ') } },
})

function tools(folder: string): readonly ComparedTool[] {
  const list = join(folder, 'guesses')
  writeFileSync(list, ['root', 'toor', 'admin123', ''].join('\n'))
  return [
    scan(/Redis key-value store 7\.0\.15/, '-sV', '-sC'),
    scan(/.*Role: .*/, '-sV', '--script', 'redis-info'),
    client(/dir.*/, 'CONFIG', 'GET', 'dir*'),
    client(/ERR AUTH.*/, 'AUTH', 'toor'),
    client(/OK/, 'SET', 'crackit', 'ssh-rsa AAAA'),
    client(/ERR.*/, 'MODULE', 'LOAD', '/tmp/exp.so'),
    {
      says: /.*does not require password.*/,
      command: (host) => ['hydra', '-I', '-P', list, '-t', '1', `redis://${host}`],
    },
  ]
}

const server = realServers.filter(({ service }) => service === 'redis')

const proof: Proof = {
  title: 'nmap, redis-cli and hydra print of the decoy redis what they print of redis-server',
  packages: server.flatMap(packagesOf),
  needs: ['nmap', 'redis-cli'],
  uses: ['hydra'],
  isIsolated: true,
  limitMs: 600_000,
  prove: (stage) => compareTools({ service: 'redis', tools }, stage),
}

export default proof
