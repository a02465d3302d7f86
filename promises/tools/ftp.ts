// The decoy ftp next to Debian's vsftpd: scanners, guessers and clients print the same.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, realServers } from '../../packages/decoys/test/real-servers.ts'
import { compareTools, type ComparedTool } from './lib/side-by-side.ts'
import type { Proof } from './lib/proof.ts'

const scan = (says: RegExp, ...args: readonly string[]): ComparedTool => ({
  command: (host) => ['nmap', '-Pn', '-n', '-p', '21', ...args, host],
  says,
  isUnordered: true,
})

/** Each tries to log in, as a user of its own. */
const login = (
  USERNAME: string,
  PASSWORD: string,
  says: RegExp,
  command: ComparedTool['command'],
): ComparedTool => ({
  command,
  says,
  incident: { logtype: '2000', fields: { USERNAME, PASSWORD } },
})

function tools(folder: string): readonly ComparedTool[] {
  const list = join(folder, 'guesses')
  writeFileSync(list, ['root', 'toor', 'admin123', ''].join('\n'))
  const dialogue = join(folder, 'dialogue')
  writeFileSync(dialogue, ['user ftp letmein', 'syst', 'ls', 'quit', ''].join('\n'))
  return [
    scan(/vsftpd 3.*/, '-sV', '-sC'),
    scan(/vsftpd 3.*/, '--script', 'ftp-anon,ftp-syst,ftp-bounce,ftp-libopie,ftp-vsftpd-backdoor', '-sV'),
    login('hydra', 'admin123', /0 valid password found/, (host) => [
      'hydra',
      '-I',
      '-l',
      'hydra',
      '-P',
      list,
      '-t',
      '1',
      `ftp://${host}`,
    ]),
    login('medusa', 'admin123', /ACCOUNT CHECK: .*admin123.*/, (host) => [
      'medusa',
      '-h',
      host,
      '-u',
      'medusa',
      '-P',
      list,
      '-M',
      'ftp',
    ]),
    login('ncrack', 'admin123', /Ncrack finished\./, (host) => [
      ...['ncrack', '-g', 'cl=1,at=1', '--user', 'ncrack', '-P', list, `ftp://${host}:21`],
    ]),
    login('lftp', 'letmein', /.*530.*/, (host) => [
      ...[
        'lftp',
        '-d',
        '-u',
        'lftp,letmein',
        '-e',
        'set net:max-retries 1; set net:timeout 10; ls; bye',
        host,
      ],
    ]),
    {
      ...login('ftp', 'letmein', /.*530 Login incorrect.*/, (host) => [
        ...['sh', '-c', `ftp -n -v ${host} <${dialogue}`],
      ]),
      needs: ['ftp'],
    },
    login('curl', 'letmein', /.*530 Login incorrect.*/, (host) => [
      'curl',
      '-sv',
      '-u',
      'curl:letmein',
      `ftp://${host}/etc/`,
    ]),
  ]
}

const server = realServers.filter(({ service }) => service === 'ftp')

const proof: Proof = {
  title: 'nmap, hydra, medusa, ncrack, lftp, ftp and curl print of the decoy ftp what they print of vsftpd',
  packages: server.flatMap(packagesOf),
  needs: ['nmap'],
  uses: ['hydra', 'medusa', 'ncrack', 'lftp', 'ftp', 'curl'],
  isIsolated: true,
  limitMs: 600_000,
  prove: (stage) => compareTools({ service: 'ftp', tools }, stage),
}

export default proof
