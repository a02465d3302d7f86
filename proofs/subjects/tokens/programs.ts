// Kinds that are programs.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/command.ts'
import { asSystem } from '../../lib/as-system.ts'
import { download, type FiringDeps, type Planted, type TokenProof } from './token-proof.ts'

const SOURCE = 'int main(void) { return 0; }\n'

/** Compiles a program of Windows; answers its path. */
async function compiled(folder: string, machine: string, name: string, ...flags: string[]): Promise<string> {
  const [source, file] = [join(folder, 'main.c'), join(folder, name)]
  writeFileSync(source, SOURCE)
  const { code, stderr } = await run(`${machine}-w64-mingw32-gcc`, [...flags, '-o', file, source])
  assert.equal(code, 0, stderr)
  return file
}

/** Downloads the program and the certificates of its signature; it is right as far as nothing is looked up. */
async function signedProgram(planted: Planted, deps: FiringDeps, name: string) {
  const file = await download(planted, deps, `signed-${name}`)
  const [signature, certificates] = [`${file}.pem`, `${file}.certificates.pem`]
  await run('osslsigncode', ['extract-signature', '-pem', '-in', file, '-out', signature])
  await run('openssl', ['pkcs7', '-in', signature, '-print_certs', '-out', certificates])
  const verify = ['osslsigncode', 'verify', '-CAfile', certificates, '-in', file] as const
  const { code, stdout } = await run('osslsigncode', [...verify.slice(1), '-ignore-crl'])
  assert.match(stdout, /Signature verification: ok/)
  assert.equal(code, 0, stdout)
  return verify
}

const needs = ['osslsigncode', 'openssl', 'unbound']

const signedExe = (machine: string, name: string, ...flags: string[]): TokenProof => ({
  kind: 'signed-exe',
  program: `osslsigncode (${name})`,
  needs: [...needs, `${machine}-w64-mingw32-gcc`],
  logtype: '17008',
  uploads: async (folder) => ({ exe: await compiled(folder, machine, name, ...flags) }),
  async fire(planted, deps) {
    const verify = await signedProgram(planted, deps, name)
    await asSystem(verify)
    return { via: 'crl', qname: `crl.${planted.id}.nx.${planted.hostname.slice(planted.id.length + 1)}` }
  },
})

export const programs: readonly TokenProof[] = [
  signedExe('x86_64', 'setup.exe'),
  signedExe('i686', 'setup32.exe'),
  signedExe('x86_64', 'library.dll', '-shared'),
]
