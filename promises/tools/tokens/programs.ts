// Kinds that are programs.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../lib/command.ts'
import { asSystem } from '../lib/as-system.ts'
import { download, type FiringDeps, type Planted, type TokenProof } from './token-proof.ts'

interface Compiler {
  readonly program: string
  readonly source: string
  readonly options: (source: string, file: string) => readonly string[]
}

const gcc = (machine: string, ...flags: readonly string[]): Compiler => ({
  program: `${machine}-w64-mingw32-gcc`,
  source: 'int main(void) { return 0; }\n',
  options: (source, file) => [...flags, '-x', 'c', '-o', file, source],
})

const dotNet: Compiler = {
  program: 'mcs',
  source: 'class Setup { static void Main() {} }\n',
  options: (source, file) => [`-out:${file}`, source],
}

/** Compiles a program of Windows; answers its path. */
async function compiled(
  folder: string,
  { program, source, options }: Compiler,
  name: string,
): Promise<string> {
  const [text, file] = [join(folder, `${name}.source`), join(folder, name)]
  writeFileSync(text, source)
  const { code, stdout, stderr } = await run(program, options(text, file))
  assert.equal(code, 0, stdout + stderr)
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

const signedExe = (compiler: Compiler, name: string): TokenProof => ({
  kind: 'signed-exe',
  program: `osslsigncode (${name})`,
  needs: [...needs, compiler.program],
  logtype: '17008',
  uploads: async (folder) => ({ exe: await compiled(folder, compiler, name) }),
  async fire(planted, deps) {
    const verify = await signedProgram(planted, deps, name)
    await asSystem(verify)
    return { via: 'crl', qname: `crl.${planted.id}.nx.${planted.hostname.slice(planted.id.length + 1)}` }
  },
})

export const programs: readonly TokenProof[] = [
  signedExe(gcc('x86_64'), 'setup.exe'),
  signedExe(gcc('i686'), 'setup32.exe'),
  signedExe(gcc('x86_64', '-shared'), 'library.dll'),
  signedExe(dotNet, 'dotnet.exe'),
]
